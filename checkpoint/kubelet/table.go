package kubelet

import "strings"

// kindTable is everything known of one kind of file: its formats and how each
// release restores them.
type kindTable struct {
	kind Kind
	// formats, the likeliest first: where several fit a file equally well,
	// the first is named.
	formats []*format
	paths   []path
	remarks []string // on compatibility, for people
	// gates that change how a release reads this kind.
	gates []gateUse

	// refusal is what the kubelet prints for err.
	refusal func(r reader, file, err string) string
	// bareContent: an error in a document that is decoded after the sum does
	// not go through refusal.
	bareContent bool
	// restore is what r does with the content it read: the checks that follow
	// the checksum, and the state it then holds. It does not change content.
	restore func(content any, r reader, env *environment) (state any, no *refusal)
	// overlay is what a path that keeps half-filled documents holds when over
	// was read after under failed; nil where no path does.
	overlay func(under, over any) any
	// canonical returns content as a kubelet would spell it, for comparing it
	// with a restored state; nil: as it is.
	canonical func(content any) any
	// lost names what of the file's full content is not in state; nil: a
	// comparison of all fields.
	lost func(full, state any) []string
	// policy returns the policy that the content names.
	policy func(content any) string
	// convert changes content for another layout; nil: all formats of the kind
	// have the same content.
	convert func(content any, from, to *format, env *environment) (any, error)
	// hold is what r holds of content to write it; nil: what it restores.
	hold func(content any, r reader, env *environment) (state any, no *refusal)
	// members are what not every kubelet keeps.
	members []member
	// check looks for faults within the content.
	check func(content any, add func(Finding))
}

// gateUse says in which releases a gate changes how a kind is read.
type gateUse struct {
	gate string
	span Span
}

// environment is what a kubelet knows beside the file.
type environment struct {
	file       string // base name, for error texts
	policy     string
	containers map[string]ContainerRef
	fellBack   bool // the content was not read by the path's first attempt
}

// refusal is why a kubelet does not take a file.
type refusal struct {
	err    string
	bare   bool // not put into the kind's usual words
	panics bool
	others []string // like errors that map order may put in its place
}

// The index. NOTE: a new kind or version is added here; a test walks the files
// of this directory and fails if one is missing.
var tables = []*kindTable{&cpuTable, &memoryTable, &deviceTable, &draTable, &allocatedTable}

func tableOf(k Kind) *kindTable {
	for _, t := range tables {
		if t.kind == k {
			return t
		}
	}
	return nil
}

// kindOfName finds the kind from a file name or the last part of a path. Names
// that merely contain a known one ("node7-cpu_manager_state.bak") count.
func kindOfName(name string) Kind {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	for _, f := range Files() {
		base := f.Name[strings.LastIndexByte(f.Name, '/')+1:]
		if strings.Contains(name, base) {
			return f.Kind
		}
	}
	return ""
}

// comparer returns a function that names what of full is not in a state.
func (k *kindTable) comparer(full any) func(state any) []string {
	if k.lost != nil {
		return func(state any) []string { return k.lost(full, state) }
	}
	if full != nil && k.canonical != nil {
		full = k.canonical(full)
	}
	return func(state any) []string { return lostPaths(full, state) }
}

// readers returns the kubelets that o asks for, oldest release first and the
// default gates before others.
func (k *kindTable) readers(o *Options) []reader {
	var out []reader
	for _, rel := range Releases() {
		if len(o.Releases) > 0 && !contains(o.Releases, rel.Name) {
			continue
		}
		settings := []map[string]bool{{}}
		for _, use := range k.gates {
			if !use.span.Has(rel.Name) {
				continue
			}
			if o.Gates != nil {
				for _, s := range settings {
					if o.Gates[use.gate] {
						s[use.gate] = true
					}
				}
				continue
			}
			for _, s := range settings {
				on := map[string]bool{use.gate: true}
				for g := range s {
					on[g] = true
				}
				settings = append(settings, on)
			}
		}
		for _, s := range settings {
			r := reader{rel, s}
			if k.pathOf(r) != nil {
				out = append(out, r)
			}
		}
	}
	return out
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}
