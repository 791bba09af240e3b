package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/input"
)

// question is what is asked about each file: the flags that verify and explain
// share.
type question struct {
	releases   []string
	gates      []string
	policy     string
	kind       string
	containers string
}

func (q *question) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(&q.releases, "kubelet", nil, "kubelet releases to answer for, such as 1.35,1.37 (default: all known)")
	complete(cmd, "kubelet", releases())
	q.addGateFlags(cmd)
}

// addGateFlags are the flags for a command that names its kubelet otherwise.
func (q *question) addGateFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(&q.gates, "gates", nil, "feature gates of those kubelets, as Name=true,… (default: the release's own)")
	f.StringVar(&q.policy, "policy", "", "policy that the kubelet is configured with (default: the file's own)")
	f.StringVar(&q.kind, "kind", "", "kind of the files: "+strings.Join(kinds(), ", ")+" (default: by name, then content)")
	f.StringVar(&q.containers, "containers", "", `running containers, as "crictl ps -a -o json" prints them; cpu/v1 needs them`)
	complete(cmd, "gates", gates())
	complete(cmd, "policy", policies())
	complete(cmd, "kind", kinds())
}

// complete offers words to the shell for a flag that addFlags has defined.
func complete(cmd *cobra.Command, flag string, words []string) {
	// The error says that there is no such flag; the completion test would see.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// options checks the flags and reads the list of containers.
func (q *question) options(r *input.Reader) (kubelet.Options, error) {
	var opts kubelet.Options
	for _, name := range q.releases {
		release, err := parseRelease(name)
		if err != nil {
			return opts, err
		}
		if !slices.Contains(opts.Releases, release) {
			opts.Releases = append(opts.Releases, release)
		}
	}
	for _, text := range q.gates {
		name, on, err := parseGate(text)
		if err != nil {
			return opts, err
		}
		if opts.Gates == nil {
			opts.Gates = make(map[string]bool)
		}
		if was, set := opts.Gates[name]; set && was != on {
			return opts, fmt.Errorf("--gates: %s is both true and false", name)
		}
		opts.Gates[name] = on
	}
	if q.policy != "" && !slices.ContainsFunc(policies(), func(p string) bool { return strings.EqualFold(p, q.policy) }) {
		return opts, unknown("--policy", q.policy, policies())
	}
	opts.Policy = q.policy
	if q.kind != "" && !slices.Contains(kinds(), q.kind) {
		return opts, unknown("--kind", q.kind, kinds())
	}
	opts.Kind = kubelet.Kind(q.kind)
	if q.containers == "" {
		return opts, nil
	}
	c, err := r.ReadFile(q.containers, nil)
	if err != nil {
		return opts, undecided(err)
	}
	opts.Containers, err = parseContainers(c.Bytes)
	if err != nil {
		return opts, undecided(fmt.Errorf("%q: %w", q.containers, err))
	}
	return opts, nil
}

// judge answers for the bytes of one file.
func judge(name string, blob []byte, opts kubelet.Options) kubelet.Verdict {
	if name != input.Stdin {
		opts.FileName = name
	}
	policy := opts.Policy
	opts.Policy = ""
	v := kubelet.Judge(blob, opts)
	// The kinds spell their policies differently: static, Static. Which one is
	// meant is known once the kind is.
	if p := spelled(policy, v.Kind); p != "" {
		opts.Policy = p
		v = kubelet.Judge(blob, opts)
	}
	recognise(&v, blob)
	return v
}

var policiesOf = map[kubelet.Kind][]string{
	kubelet.CPU:    {"none", "static"},
	kubelet.Memory: {"None", "Static", "BestEffort"},
}

// spelled returns policy as kind spells it, or "" if kind has no such policy.
func spelled(policy string, kind kubelet.Kind) string {
	for _, p := range policiesOf[kind] {
		if strings.EqualFold(p, policy) {
			return p
		}
	}
	return ""
}

func policies() []string { return []string{"none", "static", "BestEffort"} }

func kinds() []string {
	var names []string
	for _, k := range []kubelet.Kind{kubelet.CPU, kubelet.Memory, kubelet.Device, kubelet.DRA, kubelet.Allocated} {
		names = append(names, string(k))
	}
	return names
}

func releases() []string {
	var names []string
	for _, r := range kubelet.Releases() {
		names = append(names, r.Name)
	}
	return names
}

func gates() []string {
	return []string{kubelet.GateExclusiveCPUResize, kubelet.GatePodLevelResourceManagers}
}

// parseRelease finds the minor release in 1.35, v1.35 or v1.35.4. Of a list, one
// may have a blank before it.
func parseRelease(text string) (string, error) {
	if r, ok := kubelet.ParseRelease(strings.TrimSpace(text)); ok {
		return r.Name, nil
	}
	return "", unknown("--kubelet", text, releases())
}

func parseGate(text string) (string, bool, error) {
	name, value, _ := strings.Cut(text, "=")
	if !slices.Contains(gates(), name) {
		return "", false, unknown("--gates", name, gates())
	}
	on, err := strconv.ParseBool(value)
	if err != nil {
		return "", false, fmt.Errorf("--gates: %q is not Name=true or Name=false", text)
	}
	return name, on, nil
}

func unknown(flag, value string, known []string) error {
	return fmt.Errorf("%s: %q is not known; known are %s", flag, value, strings.Join(known, ", "))
}

// parseContainers reads what crictl ps -o json prints, of which it takes the
// ids and the labels that the kubelet sets.
func parseContainers(blob []byte) (map[string]kubelet.ContainerRef, error) {
	var list struct {
		Containers []struct {
			ID     string            `json:"id"`
			Labels map[string]string `json:"labels"`
		} `json:"containers"`
	}
	if err := json.Unmarshal(blob, &list); err != nil {
		return nil, fmt.Errorf("not the output of crictl ps -o json: %w", err)
	}
	if list.Containers == nil {
		return nil, errors.New(`not the output of crictl ps -o json: no list "containers"`)
	}
	found := make(map[string]kubelet.ContainerRef, len(list.Containers))
	for _, c := range list.Containers {
		found[c.ID] = kubelet.ContainerRef{
			PodUID: c.Labels["io.kubernetes.pod.uid"],
			Name:   c.Labels["io.kubernetes.container.name"],
		}
	}
	return found, nil
}
