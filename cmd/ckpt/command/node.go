package command

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/input"
	"github.com/kubeckpt/ckpt/internal/kubeletconfig"
)

// node is where all is read from that decides how a kubelet starts: its
// configuration, its machine and its state files.
type node struct {
	files
	machine
	config, configDir string
	kubeletFlags      string
	releases, gates   []string
	containers        string
	only              string
	// whole: read all files also for one manager, as they tell of each other.
	whole bool
	// noConfig: the kubelet is said to have no configuration file.
	noConfig bool
}

func (o *node) addFlags(cmd *cobra.Command) {
	o.files.addFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.config, "config", "", "the kubelet's configuration file, YAML or JSON; empty: it has none (default: that of --kubelet-flags, or "+defaultConfig+")")
	f.StringVar(&o.configDir, "config-dir", "", "the kubelet's directory of drop-in files *.conf (default: that of --kubelet-flags, or none)")
	f.StringVar(&o.kubeletFlags, "kubelet-flags", "", "the kubelet's command line, as one argument")
	f.StringSliceVar(&o.releases, "kubelet", nil, "kubelet releases to answer for, such as 1.36,1.37 (default: all known)")
	complete(cmd, "kubelet", preflight.Releases())
	f.StringSliceVar(&o.gates, "gates", nil, "feature gates of those kubelets, as Name=true,…, over those of the configuration")
	f.StringVar(&o.containers, "containers", "", `running containers, as "crictl ps -a -o json" prints them; cpu/v1 needs them`)
	f.StringVar(&o.only, "only", "", "start one manager alone, cpu or memory, on a configuration without unknown fields")
	complete(cmd, "only", []string{"cpu", "memory"})
	o.machine.addFlags(cmd)
}

// defaultConfig is where kubeadm puts it.
const defaultConfig = defaultPath + "/config.yaml"

// found is a node as it was read.
type found struct {
	question      preflight.Question
	without       preflight.Config // without the settings of a plan, if there are any
	circumstances preflight.Circumstances
	dir           string // of the state files, inside the root
}

// read reads the node. What the command line gets wrong is told before a file
// is opened.
func (o *node) read(cmd *cobra.Command, settings []string) (n found, err error) {
	q := &n.question
	if q.Releases, err = startReleases(o.releases); err != nil {
		return n, err
	}
	if q.Gates, err = startGates(o.gates); err != nil {
		return n, err
	}
	if o.only != "" && o.only != string(kubelet.CPU) && o.only != string(kubelet.Memory) {
		return n, unknown("--only", o.only, []string{"cpu", "memory"})
	}
	q.Only = kubelet.Kind(o.only)
	q.Lenient = o.only == ""
	flags, err := kubeletconfig.ParseFlags(o.kubeletFlags)
	if err != nil {
		return n, fmt.Errorf("--kubelet-flags: %w", err)
	}
	planned := flags
	for _, s := range settings {
		key, value, _ := strings.Cut(s, "=")
		if err := planned.Set(key, value); err != nil {
			return n, fmt.Errorf("--set %s: %w", s, err)
		}
	}
	if len(flags.Ignored) > 0 {
		note(cmd, "--kubelet-flags: passed over, as they decide nothing here: "+strings.Join(flags.Ignored, " "))
	}
	n.circumstances.Planned = len(settings) > 0
	if err := o.readConfig(cmd, &n, flags, planned); err != nil {
		return n, err
	}
	if o.only == "" { // a manager alone is told its gates, whoever has them
		q.Config = withGates(q.Config, q.Gates)
		n.without = withGates(n.without, q.Gates)
	}
	m, err := o.machine.read(cmd, o.root)
	if err != nil {
		return n, err
	}
	tellMachine(cmd, m)
	q.Machine, n.circumstances.Lost = m.Machine, m.Lost
	if n.dir = defaultPath; flags.RootDir != "" {
		n.dir = flags.RootDir
	}
	n.circumstances.Dir = n.dir
	if o.root != "" {
		n.circumstances.Dir = filepath.Join(o.root, n.dir)
	}
	n.circumstances.Flags = o.again()
	if err := o.readState(cmd, &n); err != nil {
		return n, err
	}
	if o.containers != "" {
		blob, err := o.readNamed(cmd, o.containers)
		if err != nil {
			return n, undecided(err)
		}
		if q.Containers, err = parseContainers(blob); err != nil {
			return n, undecided(fmt.Errorf("%q: %w", o.containers, err))
		}
	}
	return n, nil
}

// again are the flags that another command needs to find the same node, with a
// space before each.
func (o *node) again() string {
	var b strings.Builder
	for _, f := range [][2]string{
		{"root", o.root}, {"config", o.config}, {"config-dir", o.configDir}, {"kubelet-flags", o.kubeletFlags}, {"gates", strings.Join(o.gates, ",")},
		{"containers", o.containers}, {"machine", o.description}, {"sysfs", o.sysDir}, {"procfs", o.procDir}, {"only", o.only},
	} {
		if f[1] != "" || f[0] == "config" && o.noConfig {
			b.WriteString(" --" + f[0] + " " + preflight.ShellWord(f[1]))
		}
	}
	return b.String()
}

// readConfig reads and merges the configuration, with and without settings.
func (o *node) readConfig(cmd *cobra.Command, n *found, flags, planned kubeletconfig.Flags) error {
	var main *kubeletconfig.File
	name, named := defaultConfig, false
	for _, given := range []string{flags.Config, o.config} {
		if given != "" {
			name, named = given, true
		}
	}
	o.noConfig = o.config == "" && cmd.Flags().Changed("config")
	var blob []byte
	var err error
	if !o.noConfig {
		blob, err = o.readNamed(cmd, name)
	}
	switch {
	case o.noConfig:
	case err == nil:
		main = &kubeletconfig.File{Name: name, Bytes: blob}
	case named || !missing(err):
		return undecided(err)
	default:
		note(cmd, name+" does not exist: taken for a kubelet with the default configuration; --config names another file")
		n.circumstances.Unknown.Config = name
	}
	dir := flags.ConfigDir
	if o.configDir != "" {
		dir = o.configDir
	}
	dropIns, err := o.readDropIns(cmd, dir)
	if err != nil {
		return undecided(err)
	}
	merged := kubeletconfig.Merge(main, dropIns, planned)
	for _, text := range merged.Notes {
		note(cmd, text)
	}
	n.circumstances.NoKind, n.circumstances.Twice = merged.NoKind, merged.Notes
	n.question.Config = parsed(merged)
	if n.circumstances.Planned {
		n.without = parsed(kubeletconfig.Merge(main, dropIns, flags))
	}
	return nil
}

// parsed is what a kubelet makes of the merged document; that it makes nothing
// of it is part of the answer.
func parsed(m kubeletconfig.Merged) preflight.Config {
	if m.Broken != "" {
		return preflight.Broken(m.Broken, m.Own)
	}
	c, _ := preflight.ParseConfig(m.JSON) // the error is in c, too
	return c
}

// readNamed reads a file that the caller names: inside the root or, if it is
// not there, outside.
func (o *node) readNamed(cmd *cobra.Command, name string) ([]byte, error) {
	blob, err := o.files.read(cmd, name)
	if o.root == "" || !missing(err) || name == defaultConfig {
		return blob, err
	}
	outside, err2 := (&files{}).read(cmd, name)
	if err2 != nil {
		return nil, err
	}
	note(cmd, fmt.Sprintf("%s is not inside %s: read outside of it", name, o.root))
	return outside, nil
}

func missing(err error) bool {
	var e *input.Error
	return errors.As(err, &e) && (e.Reason == input.Missing || e.Reason == input.NotDirectory)
}

// readState reads the state files that are there. Of one that cannot be read,
// start goes without; a command that writes does not.
func (o *node) readState(cmd *cobra.Command, n *found) error {
	n.question.Files = make(preflight.Files)
	n.circumstances.Unknown.Files = make(map[string]string)
	r := o.reader(cmd)
	dir := strings.TrimSuffix(n.dir, "/")
	for _, f := range kubelet.Files() {
		if n.question.Only != "" && f.Kind != n.question.Only && !o.whole {
			continue
		}
		c, err := r.ReadFile(dir+"/"+f.Name, nil)
		var e *input.Error
		switch name := path.Base(f.Name); {
		case err == nil:
			n.question.Files[name] = c.Bytes
		case errors.As(err, &e) && (missing(err) || e.Reason == input.DanglingLink):
		case o.whole || errors.Is(err, context.Canceled):
			return undecided(err)
		default:
			note(cmd, err.Error())
			n.circumstances.Unknown.Files[name] = err.Error()
		}
	}
	r.Known, r.BackupMark = nil, ""
	n.question.Backups = make(preflight.Files)
	for item := range r.Expand([]string{n.dir}) {
		if name := path.Base(item.Name); strings.HasPrefix(name, preflight.CPUManagerState+filestore.BackupMark) {
			if c, err := item.Load(nil); err == nil {
				n.question.Backups[name] = c.Bytes
			}
		}
	}
	if len(n.question.Files)+len(n.circumstances.Unknown.Files) == 0 {
		if _, err := r.ReadFile(n.dir, nil); missing(err) {
			n.circumstances.NoDir = n.dir
		}
	}
	return nil
}
