package kubeletconfig

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Flags are what a kubelet's command line decides.
type Flags struct {
	Config    string // --config
	ConfigDir string // --config-dir
	RootDir   string // --root-dir
	// Ignored are the flags and words that are not known here.
	Ignored []string
	// Broken is what makes the kubelet refuse its command line; empty: nothing.
	Broken string

	patch map[string]json.RawMessage // by field
	sets  []setting
}

// flag sets something from its value, which may come several times.
type flag struct {
	field string // of the configuration
	read  func(old any, value string) (any, error)
	// switchable: the flag alone means true, and takes no word after it.
	switchable bool
}

var known = map[string]flag{
	"cpu-manager-policy":                       {field: "cpuManagerPolicy", read: text},
	"cpu-manager-policy-options":               {field: "cpuManagerPolicyOptions", read: pairs("=", false)},
	"reserved-cpus":                            {field: "reservedSystemCPUs", read: text},
	"memory-manager-policy":                    {field: "memoryManagerPolicy", read: text},
	"reserved-memory":                          {field: "reservedMemory", read: reservedMemory},
	"topology-manager-policy":                  {field: "topologyManagerPolicy", read: text},
	"topology-manager-scope":                   {field: "topologyManagerScope", read: text},
	"topology-manager-policy-options":          {field: "topologyManagerPolicyOptions", read: pairs("=", false)},
	"system-reserved":                          {field: "systemReserved", read: pairs("=", true)},
	"kube-reserved":                            {field: "kubeReserved", read: pairs("=", true)},
	"system-reserved-cgroup":                   {field: "systemReservedCgroup", read: text},
	"kube-reserved-cgroup":                     {field: "kubeReservedCgroup", read: text},
	"eviction-hard":                            {field: "evictionHard", read: pairs("<", true)},
	"feature-gates":                            {field: "featureGates", read: gates},
	"experimental-allocatable-ignore-eviction": {field: "x-ignoreEvictionThreshold", read: boolean, switchable: true},
}

// maxLine bounds a command line; Linux takes no longer argument.
const maxLine = 128 << 10

// ParseFlags reads a kubelet's command line, with or without the program's
// name. Its error is about the quoting; what a kubelet makes of the flags is in
// Flags.Broken.
func ParseFlags(line string) (Flags, error) {
	f := Flags{patch: map[string]json.RawMessage{}}
	if len(line) > maxLine {
		return f, fmt.Errorf("the line has %d bytes, more than %d", len(line), maxLine)
	}
	args, err := words(line)
	if err != nil {
		return f, err
	}
	values := map[string]any{}
	for i := 0; i < len(args); i++ {
		word := args[i]
		name, value, hasValue := strings.Cut(strings.TrimPrefix(word, "--"), "=")
		// The kubelet normalises underscores.
		name = strings.ReplaceAll(name, "_", "-")
		target := f.path(name)
		k, isKnown := known[name]
		if !strings.HasPrefix(word, "--") || target == nil && !isKnown {
			f.Ignored = append(f.Ignored, word)
			continue
		}
		if !hasValue && k.switchable {
			value, hasValue = "true", true
		}
		if !hasValue {
			if i++; i == len(args) {
				f.Broken = "failed to parse kubelet flag: flag needs an argument: --" + name
				break
			}
			value = args[i]
		}
		if target != nil {
			*target = value
			continue
		}
		if values[k.field], err = k.read(values[k.field], value); err != nil {
			f.Broken = fmt.Sprintf("failed to parse kubelet flag: invalid argument %q for \"--%s\" flag: %v", value, name, err)
			break
		}
	}
	for name, v := range values {
		if f.patch[name], err = json.Marshal(v); err != nil {
			return f, err
		}
	}
	return f, nil
}

func (f *Flags) path(name string) *string {
	switch name {
	case "config":
		return &f.Config
	case "config-dir":
		return &f.ConfigDir
	case "root-dir":
		return &f.RootDir
	}
	return nil
}

func text(_ any, value string) (any, error) { return value, nil }

func boolean(_ any, value string) (any, error) { return strconv.ParseBool(value) }

// pairs reads key and value around sep; split: several of them after commas.
func pairs(sep string, split bool) func(any, string) (any, error) {
	return func(old any, value string) (any, error) {
		all, _ := old.(map[string]string)
		if all == nil {
			all = map[string]string{}
		}
		list := []string{value}
		if split {
			list = strings.Split(value, ",")
		}
		for _, p := range list {
			if split && p == "" {
				continue
			}
			k, v, ok := strings.Cut(p, sep)
			if !ok {
				return all, fmt.Errorf("malformed pair, expect string%sstring", sep)
			}
			all[strings.TrimSpace(k)] = strings.TrimSpace(v)
		}
		return all, nil
	}
}

func gates(old any, value string) (any, error) {
	all, _ := old.(map[string]bool)
	if all == nil {
		all = map[string]bool{}
	}
	for p := range strings.SplitSeq(value, ",") {
		if p == "" {
			continue
		}
		k, v, ok := strings.Cut(p, "=")
		if !ok {
			return all, fmt.Errorf("missing bool value for %s", p)
		}
		on, err := strconv.ParseBool(strings.TrimSpace(v))
		if err != nil {
			return all, fmt.Errorf("invalid value of %s=%s, err: %w", strings.TrimSpace(k), strings.TrimSpace(v), err)
		}
		all[strings.TrimSpace(k)] = on
	}
	return all, nil
}

type reservation struct {
	NUMANode int32             `json:"numaNode"`
	Limits   map[string]string `json:"limits"`
}

// reservedMemory reads 0:memory=1Gi,hugepages-2Mi=2Gi;1:memory=1Gi.
func reservedMemory(old any, value string) (any, error) {
	all, _ := old.([]reservation)
	for item := range strings.SplitSeq(value, ";") {
		node, list, ok := strings.Cut(item, ":")
		if !ok || strings.Contains(list, ":") {
			return all, fmt.Errorf("the reserved memory has incorrect format, expected numaNodeID:type=quantity[,type=quantity...], got %s", item)
		}
		id, err := strconv.ParseInt(node, 10, 32)
		if err != nil {
			return all, fmt.Errorf("failed to convert the NUMA node ID, expected integer, got %s", node)
		}
		r := reservation{NUMANode: int32(id), Limits: map[string]string{}}
		for limit := range strings.SplitSeq(list, ",") {
			kind, amount, ok := strings.Cut(limit, "=")
			if !ok || strings.Contains(amount, "=") {
				return all, fmt.Errorf("the reserved limit has incorrect value, expected type=quantity, got %s", limit)
			}
			if kind != "memory" && !strings.HasPrefix(kind, "hugepages-") {
				return all, fmt.Errorf("memory type conversion error, unknown type: %q", kind)
			}
			r.Limits[kind] = amount
		}
		all = append(all, r)
	}
	return all, nil
}
