package kubeletconfig

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// File is a file of configuration.
type File struct {
	Name  string
	Bytes []byte
}

// Merged is what a kubelet starts with.
type Merged struct {
	// JSON is one KubeletConfiguration.
	JSON []byte
	// Broken is what stops the kubelet before it has a configuration; empty:
	// nothing does.
	Broken string
	// Own: Broken is not to the letter what the kubelet prints.
	Own bool
	// NoKind are the files that do not say that they are a
	// KubeletConfiguration. No kubelet takes such a file; JSON is what it would
	// say.
	NoKind []string
	// Notes are what the kubelet tolerates, a sentence each.
	Notes []string
}

// defaultEviction is what a kubelet fills into a file without evictionHard. Its
// other thresholds do not matter here.
const defaultEviction = `{"memory.available":"100Mi"}`

// Merge puts main, dropIns and flags together. A nil main stands for a kubelet
// that is given no file.
func Merge(main *File, dropIns []File, flags Flags) Merged {
	var m Merged
	if flags.Broken != "" {
		return Merged{Broken: flags.Broken}
	}
	base := []byte("{}")
	if main != nil {
		load := fmt.Sprintf("failed to load Kubelet config file %s, error ", main.Name)
		if len(main.Bytes) == 0 {
			return Merged{Broken: load + fmt.Sprintf("kubelet config file %q was empty", main.Name)}
		}
		converted, err := toJSON(main.Bytes)
		if errors.Is(err, errTooLarge) {
			return Merged{Broken: main.Name + ": " + err.Error(), Own: true}
		}
		if err != nil {
			return Merged{Broken: load + "failed to decode: " + err.Error()}
		}
		if text, own := refusedKind(converted); text != "" {
			return Merged{Broken: load + text, Own: own}
		}
		base = converted
		if text := duplicates(main.Bytes); text != "" {
			m.Notes = append(m.Notes, fmt.Sprintf("%s: %s: the kubelet logs that and takes the last", main.Name, text))
		}
	}
	m.JSON = base
	fields, ok := fieldsOf(base)
	if !ok {
		return m // to be judged as it is
	}
	if main != nil && !isConfiguration(fields) {
		m.NoKind = append(m.NoKind, main.Name)
	}
	if len(dropIns) == 0 && len(flags.patch) == 0 && len(flags.sets) == 0 {
		return m
	}
	if len(dropIns) > 0 && main != nil && find(fields, "evictionHard") == nil {
		fields = set(fields, "evictionHard", json.RawMessage(defaultEviction))
	}
	for _, f := range dropIns {
		patch, broken := m.dropIn(f)
		if broken != "" {
			return Merged{Broken: broken, Own: true}
		}
		for _, p := range patch {
			if p.name != "mergeDefaultEvictionSettings" {
				fields = apply(fields, p)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(flags.patch)) {
		raw := flags.patch[name]
		if name == "featureGates" {
			fields = apply(fields, field{name, raw})
			continue
		}
		fields = set(fields, name, raw)
	}
	for _, s := range flags.sets {
		if s.within || string(s.raw) == "null" {
			fields = apply(fields, s.field)
			continue
		}
		fields = set(fields, s.name, s.raw)
	}
	m.JSON = object(fields)
	return m
}

// dropIn reads a drop-in file, which must say what it is.
func (m *Merged) dropIn(f File) (patch []field, broken string) {
	fail := func(reason any) ([]field, string) {
		return nil, fmt.Sprintf("failed to load kubelet dropin file, path: %s, error: %v", f.Name, reason)
	}
	if len(f.Bytes) == 0 {
		return fail(fmt.Sprintf("kubelet config file %q was empty", f.Name))
	}
	converted, err := toJSON(f.Bytes)
	if err != nil {
		return fail(err)
	}
	patch, ok := fieldsOf(converted)
	if !ok {
		return fail("it is not an object")
	}
	if !isConfiguration(patch) {
		return fail("no apiVersion/kind of a KubeletConfiguration")
	}
	if text := duplicates(f.Bytes); text != "" {
		m.Notes = append(m.Notes, fmt.Sprintf("%s: %s: the kubelet takes the last", f.Name, text))
	}
	return patch, ""
}

// refusedKind is what a kubelet says of a document that says to be something
// else than a KubeletConfiguration; "" for one that does not say what it is.
func refusedKind(doc []byte) (text string, own bool) {
	fields, ok := fieldsOf(doc)
	if !ok {
		if string(doc) == "null" { // nothing but comments
			return "failed to decode: Object 'Kind' is missing in 'null'", false
		}
		return "", false
	}
	var kind, version string
	for name, into := range map[string]*string{"kind": &kind, "apiVersion": &version} {
		if raw := find(fields, name); raw != nil && json.Unmarshal(raw, into) != nil {
			return fmt.Sprintf("failed to decode: couldn't get version/kind: %s is %.64s", name, raw), true
		}
	}
	switch {
	case kind == "" || version == "" || isConfiguration(fields):
		return "", false
	case strings.Count(version, "/") > 1:
		return "failed to decode: unexpected GroupVersion string: " + version, false
	}
	// A kubelet names the place in its source as well.
	return fmt.Sprintf("failed to decode: no kind %q is registered for version %q", kind, version), true
}

func isConfiguration(fields []field) bool {
	return string(find(fields, "kind")) == `"KubeletConfiguration"` &&
		string(find(fields, "apiVersion")) == `"kubelet.config.k8s.io/v1beta1"`
}

// find returns the last value of a field; nil if there is none or it is null.
func find(fields []field, name string) json.RawMessage {
	for _, f := range slices.Backward(fields) {
		if f.name == name && string(f.raw) != "null" {
			return f.raw
		}
	}
	return nil
}

// set gives a field a value, and one only.
func set(fields []field, name string, raw json.RawMessage) []field {
	fields = slices.DeleteFunc(fields, func(f field) bool { return f.name == name })
	return append(fields, field{name, raw})
}

// apply merges one field of a patch into an object.
func apply(fields []field, p field) []field {
	if string(p.raw) == "null" {
		return slices.DeleteFunc(fields, func(f field) bool { return f.name == p.name })
	}
	patch, isObject := fieldsOf(p.raw)
	if !isObject {
		return set(fields, p.name, p.raw)
	}
	old, _ := fieldsOf(find(fields, p.name))
	for _, inner := range patch {
		old = apply(old, inner)
	}
	return set(fields, p.name, object(old))
}
