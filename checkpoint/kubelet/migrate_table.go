package kubelet

import "strings"

// Migrations returns, as [Compatibilities] does, what a full file of some
// writers loses or misses when it is migrated to each reader: that is Lost in
// the answers.
func Migrations() []Compatibility {
	var out []Compatibility
	for _, k := range tables {
		c := Compatibility{Kind: k.kind}
		var targets []reader
		for _, r := range k.readers(&Options{}) {
			if k.writtenBy(r) != nil {
				targets = append(targets, r)
				c.Readers = append(c.Readers, r.plain())
			}
		}
		for _, w := range targets {
			f := k.writtenBy(w)
			full := fullest[k.kind](w)
			held, no := k.restore(full, w, &environment{policy: fullPolicy(k, full)})
			if no != nil {
				continue // as in Compatibilities
			}
			blob, err := f.encode(held, w.release.Name)
			if err != nil {
				continue
			}
			var answers []Answer
			for _, r := range targets {
				answers = append(answers, migrated(k, blob, r))
			}
			c.add(w.plain(), f, answers)
		}
		out = append(out, c)
	}
	return out
}

func migrated(k *kindTable, blob []byte, r reader) Answer {
	m, err := Migrate(blob, Target{Release: r.release.Name, Gates: r.gates}, Options{Kind: k.kind, Containers: fullContainers})
	if err != nil {
		return Answer{Verdict: Refused, Error: err.Error()}
	}
	a := Answer{Release: m.Release, Gates: m.Gates, Verdict: Accepted}
	for _, l := range m.Losses {
		if i := strings.LastIndex(l.Path, ".DeviceIDs."); i >= 0 { // a node
			l.Path = l.Path[:i+len(".DeviceIDs")]
		}
		a.Lost = append(a.Lost, l.Path)
	}
	for _, l := range m.Gaps {
		a.Lost = append(a.Lost, l.Path+" (unknown)")
	}
	if len(a.Lost) > 0 {
		a.Verdict = Lossy
	}
	return a
}
