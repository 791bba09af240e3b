package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
	"github.com/kubeckpt/ckpt/cmd/ckpt/render"
	"github.com/kubeckpt/ckpt/internal/sysfs"
	"github.com/kubeckpt/ckpt/internal/termtext"
)

type machineOptions struct {
	machine
	display
	root   string
	output string
}

func newMachine(env Env) *cobra.Command {
	var o machineOptions
	cmd := &cobra.Command{
		Use:   "machine [flags]",
		Short: "Print the machine as a kubelet sees it when it starts",
		Long: `machine prints the NUMA nodes, CPUs, memory and hugepages of a machine as the
kubelet learns them, through cadvisor, when it starts. It only reads, and needs no
privileges.

As JSON (-o json) it is a description that --machine takes, here and in ckpt
preflight: take it along to judge the node's files elsewhere.

Exit codes: 0 good; 1 the topology is lost, or no CPU is on, so that a kubelet finds
none; 2 wrong usage; 3 the machine could not be read.`,
		Example: `  ckpt machine
  ckpt machine --root /host -o json > machine.json
  ckpt machine --machine machine.json`,
		Args: noPaths("machine"),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd, env) },
	}
	cmd.Flags().StringVar(&o.root, "root", "", "read sys and proc inside this directory, such as /host; links cannot leave it")
	o.machine.addFlags(cmd)
	o.addColorFlag(cmd)
	outputFlag(cmd, &o.output, "table", "json")
	return cmd
}

func (o *machineOptions) run(cmd *cobra.Command, env Env) error {
	if o.output != "table" && o.output != "json" {
		return unknown("--output", o.output, []string{"table", "json"})
	}
	m, err := o.machine.read(cmd, o.root)
	if err != nil {
		return err
	}
	if o.output == "table" {
		err = render.MachineTable(cmd.OutOrStdout(), m, o.display.options(env))
	} else {
		tellMachine(cmd, m)
		err = render.MachineJSON(cmd.OutOrStdout(), m)
	}
	if err == nil && (m.Lost != "" || m.CPUs == 0) {
		return exit(exitBad)
	}
	return undecided(err)
}

// noPaths refuses arguments in a sentence of its own.
func noPaths(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			return fmt.Errorf("%s takes no PATH, got %q", name, args[0])
		}
		return nil
	}
}

// machine is where a machine is read from.
type machine struct {
	description     string
	sysDir, procDir string
}

func (o *machine) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.description, "machine", "", "read this description of a machine instead of /sys and /proc; - is standard input")
	f.StringVar(&o.sysDir, "sysfs", "", "read this directory as /sys (default: sys in --root)")
	f.StringVar(&o.procDir, "procfs", "", "read this directory as /proc (default: proc in --root)")
}

// read returns the described machine, or that of the directories. A
// description is the caller's own file, so it is not looked for in root.
func (o *machine) read(cmd *cobra.Command, root string) (render.Machine, error) {
	if o.description != "" {
		if o.sysDir != "" || o.procDir != "" {
			return render.Machine{}, errors.New("--machine takes the place of --sysfs and --procfs: give one or the other")
		}
		blob, err := (&files{}).read(cmd, o.description)
		if err != nil {
			return render.Machine{}, undecided(err)
		}
		m, err := preflight.ParseMachine(blob)
		if err != nil {
			return render.Machine{}, undecided(fmt.Errorf("%q: %w", o.description, err))
		}
		return render.Machine{Machine: m}, nil
	}
	sys, err := openDir(root, "sys", o.sysDir)
	if err != nil {
		return render.Machine{}, undecided(err)
	}
	defer sys.Close()
	proc, err := openDir(root, "proc", o.procDir)
	if err != nil {
		return render.Machine{}, undecided(err)
	}
	defer proc.Close()
	r, err := sysfs.Read(sys, proc)
	if err != nil {
		return render.Machine{}, undecided(fmt.Errorf("the machine cannot be read, and no kubelet starts on it: %w", err))
	}
	m := render.Machine{Machine: r.Machine, NoNUMA: r.NoNUMA, Off: r.Off, Notes: r.Notes}
	if r.Lost != nil {
		m.Lost = r.Lost.Error()
	}
	return m, nil
}

// tellMachine says on standard error what JSON has no place for.
func tellMachine(cmd *cobra.Command, m render.Machine) {
	if m.Lost != "" {
		note(cmd, "the topology is lost: "+m.Lost)
	}
	for _, n := range m.Notes {
		note(cmd, n)
	}
}

// openDir opens dir, or name inside root if dir is empty.
func openDir(root, name, dir string) (*sysfs.Dir, error) {
	path, open := dir, func() (*sysfs.Dir, error) { return sysfs.OpenDir(dir) }
	switch {
	case dir != "":
	case root == "":
		path = "/" + name
		open = func() (*sysfs.Dir, error) { return sysfs.OpenDir(path) }
	default:
		path = strings.TrimSuffix(root, "/") + "/" + name
		open = func() (*sysfs.Dir, error) { return sysfs.OpenDirIn(root, name) }
	}
	d, err := open()
	if err == nil {
		return d, nil
	}
	return nil, fmt.Errorf("%q cannot be read as /%s: %w; give --machine, or --%sfs", path, name, err, name)
}

// note writes a line of commentary.
func note(cmd *cobra.Command, text string) {
	fmt.Fprintf(cmd.ErrOrStderr(), "ckpt: %s\n", termtext.Sanitize(text))
}
