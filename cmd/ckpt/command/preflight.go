package command

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
	"github.com/kubeckpt/ckpt/cmd/ckpt/render"
)

type preflightOptions struct {
	node
	display
	plan   bool
	set    []string
	strict bool
	output string
}

func newPreflight(env Env) *cobra.Command {
	var o preflightOptions
	cmd := &cobra.Command{
		Use:   "preflight [flags]",
		Short: "Say whether a kubelet would start: with this configuration, machine and state files",
		Long: `preflight makes the checks that a kubelet makes when it starts, in their order and
with its words, and says whether it would start on this node. It lists every check
that fails, not only the first, which is all that the kubelet's log would show;
and what can be done about each, with its price. It only reads.

The configuration is that of --config with the drop-in files of --config-dir and
the flags of --kubelet-flags. The machine is this one, that of --root, or the one
that --machine describes. Without --kubelet, all releases that are known are
answered for.

With --plan, --set changes the configuration in thought only: "what if".

Exit codes: 0 it starts; 1 it does not, or not for sure; 2 wrong usage; 3 could not
be decided. Without --kubelet, 1 means that no known release starts. With --strict, 1
also stands for a warning.`,
		Example: `  ckpt preflight --kubelet 1.37
  ckpt preflight --root /host --kubelet-flags "$(tr '\0' ' ' < /proc/$(pidof kubelet)/cmdline)"
  ckpt preflight --plan --set cpuManagerPolicy=static --set reservedSystemCPUs=0-3`,
		Args: noPaths("preflight"),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd, env) },
	}
	o.node.addFlags(cmd)
	f := cmd.Flags()
	f.BoolVar(&o.plan, "plan", false, "compare with the changes of --set, which are not made")
	f.StringArrayVar(&o.set, "set", nil, "with --plan: a field of the configuration, as cpuManagerPolicy=static or systemReserved.cpu=2")
	f.BoolVar(&o.strict, "strict", false, "warnings count: exit with 1 if the kubelet starts, but forgets something")
	o.addColorFlag(cmd)
	var forms []string
	for _, form := range render.PreflightFormats() {
		forms = append(forms, string(form))
	}
	outputFlag(cmd, &o.output, forms...)
	return cmd
}

func (o *preflightOptions) run(cmd *cobra.Command, env Env) error {
	form := render.Format(o.output)
	if forms := render.PreflightFormats(); !slices.Contains(forms, form) {
		return unknown("--output", o.output, []string{"table", "json", "npd", "prom"})
	}
	if len(o.set) > 0 && !o.plan {
		return errors.New("--set changes nothing but the plan: add --plan")
	}
	for _, s := range o.set {
		if !strings.Contains(s, "=") {
			return fmt.Errorf("--set: %q is not FIELD=VALUE", s)
		}
	}
	n, err := o.node.read(cmd, o.set)
	if err != nil {
		return o.tellUndecided(cmd, form, err)
	}
	answers, err := n.start(n.question)
	if err != nil {
		return o.tellUndecided(cmd, form, undecided(err))
	}
	p := render.Preflight{Answers: answers, Report: preflight.Explain(n.question, answers, n.circumstances),
		Files: slices.Sorted(maps.Keys(n.question.Files)), Only: n.question.Only}
	if len(o.set) > 0 {
		now := n.question
		now.Config = n.without
		p.Plan = o.set
		if p.Now, err = n.start(now); err != nil {
			return o.tellUndecided(cmd, form, undecided(err))
		}
	}
	show := o.display.options(env)
	if err := render.WritePreflight(cmd.OutOrStdout(), form, p, show); err != nil {
		return undecided(err)
	}
	return exit(preflightCode(p, o.strict))
}

// start answers as far as the node could be read.
func (n *found) start(q preflight.Question) ([]preflight.Answer, error) {
	answers, err := preflight.Start(q)
	return n.circumstances.Unknown.Limit(answers), err
}

// tellUndecided gives a program that reads the output a form that says why there
// is no answer. People are told on standard error.
func (o *preflightOptions) tellUndecided(cmd *cobra.Command, form render.Format, why error) error {
	if code := (*exitError)(nil); form == render.Table || !errors.As(why, &code) || code.code != exitUndecided {
		return why
	}
	p := render.Preflight{Undecided: why.Error()}
	p.Report.Findings = append(p.Report.Findings, kubelet.Finding{Code: "start-undecided", Severity: kubelet.SeverityWarning, Message: why.Error()})
	if err := render.WritePreflight(cmd.OutOrStdout(), form, p, render.Options{}); err != nil {
		return undecided(err)
	}
	return why
}

// preflightCode is 1 for an error, else 3 for an answer that is not known.
func preflightCode(p render.Preflight, strict bool) int {
	code := exitGood
	for _, a := range p.Answers {
		if a.Undecided != "" {
			code = exitUndecided
		}
	}
	for _, f := range p.Report.Findings {
		undecided := f.Code == "start-undecided" // its code is 3
		if f.Severity == kubelet.SeverityError || strict && f.Severity == kubelet.SeverityWarning && !undecided {
			code = worse(code, exitBad)
		}
	}
	return code
}

// startReleases checks the releases that a start is asked for.
func startReleases(names []string) (found []string, err error) {
	for _, name := range names {
		release, err := parseRelease(name)
		if err != nil || !slices.Contains(preflight.Releases(), release) {
			return nil, unknown("--kubelet", name, preflight.Releases())
		}
		if !slices.Contains(found, release) {
			found = append(found, release)
		}
	}
	return found, nil
}

// startGates reads Name=true,…; some kubelet must have each. What one does that has
// it not is for that kubelet to say.
func startGates(list []string) (map[string]bool, error) {
	gates := make(map[string]bool)
	for _, text := range list {
		name, value, ok := strings.Cut(text, "=")
		on, err := strconv.ParseBool(value)
		if !ok || name == "" || err != nil {
			return nil, fmt.Errorf("--gates: %q is not Name=true or Name=false", text)
		}
		if all := preflight.Releases(); !slices.ContainsFunc(all, func(r string) bool { return preflight.KnowsGate(r, name) }) {
			return nil, fmt.Errorf("--gates: no kubelet of %s has a gate %q", strings.Join(preflight.Ranges(all), ", "), name)
		}
		gates[name] = on
	}
	return gates, nil
}

// withGates sets gates over those of the configuration, as --feature-gates does, so
// that a kubelet refuses what it does not know and what is locked.
func withGates(c preflight.Config, gates map[string]bool) preflight.Config {
	if len(gates) == 0 {
		return c
	}
	all := maps.Clone(c.FeatureGates)
	if all == nil {
		all = make(map[string]bool)
	}
	maps.Copy(all, gates)
	c.FeatureGates = all
	return c
}
