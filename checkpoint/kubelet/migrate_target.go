package kubelet

import (
	"maps"
	"slices"
	"strings"
)

// Target is what a file is migrated to: a kubelet, or a format. The zero Target
// is neither, and an error.
type Target struct {
	// Release of the kubelet that is to read the file, as [ParseRelease] takes
	// it ("1.35"); empty: the newest that writes Format.
	Release string
	// Gates of that kubelet; nil: its defaults or, if Release is empty, those
	// under which it keeps the most of the file.
	Gates map[string]bool
	// Format to write ("memory/v1"); empty: that of Release.
	Format string
}

func (t Target) String() string {
	name := t.Format
	if t.Release != "" {
		name = strings.TrimSpace("kubelet " + t.Release + " " + t.Format)
	}
	for _, gate := range slices.Sorted(maps.Keys(t.Gates)) {
		if t.Gates[gate] {
			name += " with " + gate
		}
	}
	if name == "" {
		return "nothing"
	}
	return name
}

// target returns the kubelet and the format that t means for content.
func (k *kindTable) target(t Target, content any) (reader, *format, error) {
	fail := func(reason string) (reader, *format, error) {
		return reader{}, nil, &TargetError{k.kind, t, reason}
	}
	if err := CheckGates(t.Release, t.Gates); err != nil {
		return fail(err.Error())
	}
	want := formatByID(t.Format)
	switch {
	case t.Release == "" && t.Format == "":
		return fail("want a release or a format")
	case t.Format != "" && want == nil:
		return fail("the format is not known")
	case want != nil && want.id.Kind != k.kind:
		return fail("the format is one of " + string(want.id.Kind) + " files")
	case want != nil && len(want.writes) == 0:
		return fail("no release writes it")
	case t.Release == "":
		r := k.newestWriter(want, t.Gates, content)
		if k.writtenBy(r) != want {
			return fail("kubelet " + r.release.Name + " does not write it with these gates")
		}
		return r, want, nil
	}
	rel, ok := ParseRelease(t.Release)
	if !ok {
		return fail("the release is not known")
	}
	r := reader{rel, k.matter(rel.Name, t.Gates)}
	f := k.writtenBy(r)
	switch {
	case f == nil || k.pathOf(r) == nil:
		return fail("this kubelet has no such file")
	case want != nil && want != f:
		return fail("this kubelet writes " + f.id.String())
	}
	return r, f, nil
}

// newestWriter is the newest known kubelet that writes f. Without gates it gets
// those that f or content need.
func (k *kindTable) newestWriter(f *format, gates map[string]bool, content any) reader {
	var r reader
	for _, w := range f.writes {
		for _, rel := range Releases() {
			if !w.span.Has(rel.Name) || minor(rel.Name) < minor(r.release.Name) {
				continue
			}
			on := gates
			if gates == nil {
				on = map[string]bool{w.gate: true}
				for _, gate := range needs(content) {
					if more := (reader{rel, k.matter(rel.Name, map[string]bool{w.gate: true, gate: true})}); k.writtenBy(more) == f {
						on[gate] = true
					}
				}
			}
			r = reader{rel, k.matter(rel.Name, on)}
		}
	}
	return r
}

// needs names the gates without which a kubelet drops part of content.
func needs(content any) (gates []string) {
	switch st := content.(type) {
	case *CPUState:
		if len(st.PodEntries) > 0 {
			gates = append(gates, GatePodLevelResourceManagers)
		}
		if len(st.Baselines) > 0 {
			gates = append(gates, GateExclusiveCPUResize)
		}
	case *MemoryState:
		if len(st.PodEntries) > 0 {
			gates = append(gates, GatePodLevelResourceManagers)
		}
	}
	return gates
}

// matter returns those of the gates that are on and change what release does
// with this kind of file.
func (k *kindTable) matter(release string, gates map[string]bool) map[string]bool {
	on := map[string]bool{}
	for _, use := range k.gates {
		if gates[use.gate] && use.span.Has(release) {
			on[use.gate] = true
		}
	}
	return on
}
