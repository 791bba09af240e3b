// Package kubelet knows the kubelet's own checkpoint files: every on-disk
// version, which releases write and read it, what exactly its checksum covers,
// and what a release does with a file that is not as it should be.
//
// [Judge] turns the bytes of a file into a [Verdict]. It is a pure function of
// the bytes and the options: it reads no file, no clock and no environment,
// writes nothing, and returns plain data without prose for a terminal. It is
// safe for concurrent use, accepts any input, and uses memory in proportion to
// it; callers bound the size of what they pass in.
//
// # The files
//
// All are small JSON files under the kubelet's root directory (see [Files]). A
// checksum field holds, for most formats, the 32-bit FNV-1a hash of a dump of
// the Go struct that the file decodes to, printed type names included, so that
// two files that differ only in white space or key order have the same sum,
// and the same bytes read by a release with other types have another.
// [Formats] lists each version with its JSON; [Texts] returns what is hashed.
//
// # What is promised
//
// The answers for the releases with a [Release.Patch] are those of the
// kubelet's own code, error texts included; the tests hold them against
// several thousand files which that code judged. Answers for other releases
// follow its source. What comes after a file is restored (the comparison with
// the machine, reserved CPUs, running pods) is not covered here.
package kubelet

import (
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/kubeckpt/ckpt/internal/allocresp"
)

// rootDir is where the kubelet's errors say that a file lies.
const rootDir = "/var/lib/kubelet/"

// Judge says what a file is, whether it is good, what each kubelet would do
// with it, and what is wrong with it.
func Judge(blob []byte, o Options) Verdict { return newSession(blob).judge(o) }

func (s *session) judge(o Options) Verdict {
	blob := s.blob
	v := Verdict{Kind: o.Kind, Checksums: []Checksum{}, Kubelets: []Answer{}, Findings: []Finding{}}
	if v.Kind == "" {
		v.Kind = kindOfName(o.FileName)
	}
	found := Kind("")
	k := tableOf(v.Kind)
	if k == nil || !s.asWritten(k) {
		v.Damage = syntaxDamage(blob)
		if v.Damage == nil && (v.Kind == "" || v.Kind == CPU) && tooManyCPUs(blob) {
			v.Damage = &Damage{Reason: DamageCPUs, Error: fmt.Sprintf("the CPU sets name more than %d CPUs in all", maxCPUs)}
		}
		if v.Damage == nil {
			found = s.kindOfContent()
		}
		if v.Kind == "" {
			v.Kind = found
			k = tableOf(v.Kind)
		}
	}
	if k == nil {
		v.Kind = Unknown
		v.State = StateOther
		if v.Damage != nil {
			v.State = StateDamaged
		}
		v.addDamage(s, blob)
		v.addUnknown()
		return v
	}
	id := identity{table: k}
	if v.Damage == nil {
		id = s.identify(k)
		if !id.good && found != "" && found != v.Kind {
			if other := s.identify(tableOf(found)); other.good {
				v.addWrongKind(found)
			}
		}
	}
	v.describe(s, id)
	if v.Damage == nil || v.Damage.Reason != DamageCPUs {
		v.answer(s, id, &o)
	}
	v.State = v.state(s, id)
	v.addDamage(s, blob)
	v.addSums(s, id)
	v.addOddities(s, id)
	v.addAnswers(id, &o)
	if id.content != nil {
		v.check(k, id.content)
	}
	sort.SliceStable(v.Findings, func(i, j int) bool { return rank(v.Findings[i].Severity) < rank(v.Findings[j].Severity) })
	return v
}

// check runs the kind's own checks, and keeps the first of each sort of finding.
func (v *Verdict) check(k *kindTable, content any) {
	const limit = 20
	count := map[string]int{}
	k.check(content, func(f Finding) {
		if count[f.Code]++; count[f.Code] <= limit {
			v.Findings = append(v.Findings, f)
		}
	})
	for _, code := range slices.Sorted(maps.Keys(count)) {
		if more := count[code] - limit; more > 0 {
			v.add(codeMore, SeverityInfo, "", fmt.Sprintf("%d more findings %s are not listed", more, code), "")
		}
	}
}

func rank(s Severity) int {
	switch s {
	case SeverityError:
		return 0
	case SeverityWarning:
		return 1
	}
	return 2
}

// describe fills in what does not depend on a release.
func (v *Verdict) describe(s *session, id identity) {
	f := id.format
	if f == nil {
		if v.Damage == nil {
			first := id.table.formats[0]
			v.Damage = typeDamage(s.decode(first).err, first)
		}
		return
	}
	v.Format = f.id.String()
	v.Content = id.content
	for _, w := range f.writes {
		v.Written = append(v.Written, w.String())
	}
	if id.table.policy != nil && id.content != nil {
		v.Policy = id.table.policy(id.content)
	}
	doc := s.decode(f).doc
	for i := range f.sums {
		sm := &f.sums[i]
		sp := &sm.spellings[0]
		if i == 0 {
			sp = sm.spelled(id.typeName)
		}
		c := Checksum{Field: sm.field, Algorithm: sm.algorithm, Authoritative: i == 0}
		if !s.decode(f).blank {
			c.Stored = sm.stored(doc)
		}
		if sm.algorithm == algFNV {
			c.TypeName = sp.typeName
		}
		if n, ok := s.computed(f, sm, sp); ok {
			c.Computed = n
			c.OK = n == c.Stored && !s.decode(f).blank
		}
		v.Checksums = append(v.Checksums, c)
	}
}

// answer fills in what each kubelet does.
func (v *Verdict) answer(s *session, id identity, o *Options) {
	k := id.table
	env := environment{file: fileFor(k.kind, o.FileName), policy: o.Policy, containers: o.Containers}
	if env.policy == "" {
		env.policy = v.Policy
	}
	type pathAnswer struct {
		result
		lost []string
	}
	type question struct {
		path    *path
		gates   string
		dialect allocresp.Dialect
	}
	type sameState struct {
		read    any
		gates   string
		dialect allocresp.Dialect
	}
	known := map[question]*pathAnswer{}
	losses := map[sameState][]string{}
	compare := k.comparer(id.content)
	for _, r := range k.readers(o) {
		p := k.pathOf(r)
		q := question{path: p, gates: gateKey(r.gates)}
		if k.kind == Device {
			q.dialect = r.dialect()
		}
		a := known[q]
		if a == nil {
			a = &pathAnswer{result: s.restore(k, p, r, env)}
			if a.no == nil && id.content != nil {
				same := sameState{a.read, q.gates, q.dialect}
				lost, ok := losses[same]
				if !ok {
					lost = compare(a.state)
					losses[same] = lost
				}
				a.lost = lost
			}
			known[q] = a
		}
		ans := Answer{Release: r.release.Name, Gates: r.gates, Verdict: Accepted, Lost: a.lost, Measured: r.release.Patch != "",
			signed: a.signed, passed: a.passed, state: a.state}
		if a.format != nil {
			ans.Read = a.format.id.String()
		}
		switch {
		case a.no != nil:
			ans.refuse(k, r, env.file, a.no)
		case len(a.lost) > 0:
			ans.Verdict = Lossy
		}
		if ans.Lost == nil {
			ans.Lost = []string{}
		}
		v.Kubelets = append(v.Kubelets, ans)
	}
}

func gateKey(gates map[string]bool) string {
	key := ""
	for _, g := range []string{GatePodLevelResourceManagers, GateExclusiveCPUResize} {
		if gates[g] {
			key += g + ","
		}
	}
	return key
}

// fileFor is the name that error texts show.
func fileFor(k Kind, name string) string {
	if k == Allocated {
		return name
	}
	for _, f := range Files() {
		if f.Kind == k {
			return f.Name
		}
	}
	return name
}

// state condenses the verdict.
func (v *Verdict) state(s *session, id identity) State {
	if v.Damage != nil {
		return StateDamaged
	}
	// Who was asked: kubelets that try the format, kubelets that at least try
	// its legacy half, and what came of it.
	own, half, passed, unsigned := len(v.Kubelets) == 0, false, false, false
	for _, a := range v.Kubelets {
		r := reader{Release{Name: a.Release}, a.Gates}
		own = own || id.table.reads(r, id.format)
		half = half || id.format != nil && id.format.legacy != nil && id.table.reads(r, id.format.legacy)
		passed = passed || a.passed
		unsigned = unsigned || a.passed && !a.signed
	}
	if v.wrongKind() {
		return StateOther
	}
	switch {
	case id.good && (own || passed):
		return StateOK
	case !own && !passed && !half:
		return StateOther
	case !id.good && unsigned:
		return StateUnsigned
	}
	return StateCorrupt
}

// reads reports whether r tries f.
func (k *kindTable) reads(r reader, f *format) bool {
	p := k.pathOf(r)
	if p == nil {
		return false
	}
	for _, a := range p.attempts {
		if a.format == f {
			return true
		}
	}
	return false
}
