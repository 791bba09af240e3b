package kubelet

import (
	"fmt"
	"slices"
	"strings"
)

// Fix says how [Repair] mends a file. The zero Fix mends nothing: without
// explanations there is nothing to undo.
type Fix struct {
	// Explanations are what Diagnose says of the file, in its order.
	Explanations []Explanation
	// Apply is the number of the explanation to undo, from 1 on. 0: the only
	// one, which must be certain. Then the result must have no finding of
	// severity error, and hold all that the file held.
	Apply int
	// Reseal computes the checksums of the content as it is. It makes kubelets
	// believe whatever the file says, and undoes nothing.
	Reseal bool
}

// Repaired is a mended file.
type Repaired struct {
	Bytes []byte
	// Exact: the edits were undone in the bytes of the file and all else in it
	// is as it was. Otherwise the document was encoded anew.
	Exact bool
	// Undone is the explanation that was undone; nil after a reseal.
	Undone *Explanation
	// LegacyToo: the legacy half had the same fault, and was put right by what
	// the data half says. Its checksum agrees.
	LegacyToo bool
	// Half: only the half for older kubelets was kept, which holds less than the
	// other did.
	Half bool
	// Certified are the sums that were computed anew, as they are stored now:
	// nothing beside the content itself vouches for them.
	Certified []Checksum

	Before, After Verdict
	// Changes are what the file says now and did not before, by path; nothing
	// could be compared if Before has no content.
	Changes []Change
	// Gone is what the file held and does not hold any more, in words; of a half
	// that is not kept, also what it may have held.
	Gone []string
}

// Faults are the findings of severity error in the result. A kubelet that
// accepts it may stop at them all the same.
func (r *Repaired) Faults() (list []Finding) {
	for _, f := range r.After.Findings {
		if f.Severity == SeverityError {
			list = append(list, f)
		}
	}
	return list
}

// Reasons of a RepairError.
const (
	RepairNothing     = "nothing-to-mend"     // no fault was found
	RepairUnknown     = "unknown"             // it is not known what happened
	RepairSeveral     = "several"             // explanations, and none was chosen
	RepairUncertain   = "uncertain"           // the only explanation is not certain, and was not chosen
	RepairNoSuch      = "no-such-explanation" // the chosen number
	RepairLost        = "lost"                // what is missing is not in the file
	RepairWhich       = "which-half"          // both are sound, and say different things
	RepairSound       = "sound"               // nothing in the file is wrong: its version is another one
	RepairWrongKind   = "wrong-kind"          // it is a good file of another kind
	RepairHalf        = "holds-less"          // only the half that holds less is whole, and it was not chosen
	RepairFaulty      = "faulty"              // the result has findings of severity error, and was not chosen
	RepairUndecodable = "undecodable"         // no checksum can be taken of it
	RepairRefused     = "refused"             // no kubelet asked for would accept the result
)

// RepairError says why a file is not mended.
type RepairError struct {
	Reason string
	// Chosen is the explanation that was to be undone; nil: it did not come to that.
	Chosen *Explanation
	// Of is how many explanations there are, unknown ones apart.
	Of int
	// Lost are the numbers of explanations that nothing can be undone by.
	Lost []int
	// Gone is what the result would not hold (RepairHalf), and Faults what would
	// be wrong with it (RepairFaulty).
	Gone   []string
	Faults []Finding
	// Refusal is what a kubelet says to the result, of which Release it is.
	Release, Refusal string
}

func (e *RepairError) Error() string {
	switch e.Reason {
	case RepairNothing:
		return "nothing is wrong with the file that could be mended"
	case RepairUnknown:
		return "it is not known what happened to the file"
	case RepairSeveral:
		return fmt.Sprintf("%d explanations are possible, and none was chosen", e.Of)
	case RepairUncertain:
		return fmt.Sprintf("the only explanation is %s, not certain", e.Chosen.Confidence)
	case RepairNoSuch:
		return fmt.Sprintf("there is no such explanation: the last one is number %d", e.Of)
	case RepairLost:
		return "what is missing cannot be brought back from the file"
	case RepairWhich:
		return "both halves of the file have a matching checksum and say different things; nothing in it says which one is right"
	case RepairSound:
		return "nothing in the file was changed"
	case RepairWrongKind:
		return "the file is a good one of another kind than its name says"
	case RepairHalf:
		return "only the half for older kubelets is whole; it does not hold all that the other half did, and it was not chosen"
	case RepairFaulty:
		return "the checksum of the result would match, but a kubelet may stop at what it says, and it was not chosen: " + e.Faults[0].Message
	case RepairUndecodable:
		return "the file cannot be decoded, so that no checksum can be taken of it"
	case RepairRefused:
		if e.Release == "" {
			return "no kubelet reads the result as what it is said to be"
		}
		return fmt.Sprintf("no kubelet that was asked for would accept the result; %s says %q", e.Release, e.Refusal)
	}
	return e.Reason
}

// Repair undoes one explanation of a file, or seals the file anew, and judges
// the result. It returns a file only if the sum that decides matches and a
// kubelet that o asks for accepts it; otherwise the error is a *RepairError.
// An edit is undone in the file's own bytes where that gives the right sum.
//
// Of a file in two halves, the legacy half is mended as well if the data half,
// whose sum is right then, says what it was.
//
// It is as pure as [Judge].
func Repair(blob []byte, how Fix, o Options) (Repaired, error) {
	m := &mender{blob: blob, o: o, before: Judge(blob, o)}
	if how.Reseal {
		return m.reseal()
	}
	e, err := how.choose()
	if err != nil {
		return Repaired{}, m.offered(err, how.Explanations)
	}
	switch e.Kind {
	case KindVersion, KindUnreadable:
		if m.before.wrongKind() {
			return Repaired{}, &RepairError{Reason: RepairWrongKind, Chosen: e}
		}
		return Repaired{}, &RepairError{Reason: RepairSound, Chosen: e}
	}
	if _, _, all := m.sound(blob); all && how.Apply == 0 {
		return Repaired{}, &RepairError{Reason: RepairWhich, Chosen: e}
	}
	out, ok := m.undo(e)
	if !ok {
		return Repaired{}, &RepairError{Reason: RepairLost, Chosen: e}
	}
	out.Undone = e
	if c := out.After.Checksums; e.Confidence == Possible && e.Path == c[0].Field {
		out.Certified = c[:1] // nothing says that the content is as it was
	}
	m.legacyToo(&out)
	m.asWritten(&out)
	m.compareHalf(&out)
	if out, err = m.finish(out, e); err != nil || how.Apply > 0 {
		return out, err
	}
	faults := slices.DeleteFunc(out.Faults(), func(f Finding) bool { return hasFinding(m.before.Findings, f) })
	switch {
	case out.Half:
		return Repaired{}, &RepairError{Reason: RepairHalf, Chosen: e, Of: 1, Gone: out.Gone, Faults: faults}
	case len(faults) > 0:
		return Repaired{}, &RepairError{Reason: RepairFaulty, Chosen: e, Of: 1, Faults: faults}
	}
	return out, nil
}

// hasFinding reports whether the same is said of the same place.
func hasFinding(list []Finding, f Finding) bool {
	return slices.ContainsFunc(list, func(g Finding) bool { return g.Code == f.Code && g.Path == f.Path })
}

// offered adds to a refusal which explanations could not be chosen either, since
// what is missing is not in the file.
func (m *mender) offered(err error, list []Explanation) error {
	no, ok := err.(*RepairError)
	if !ok || no.Reason != RepairUncertain && no.Reason != RepairSeveral {
		return err
	}
	const most = 12 // are listed
	open := 0
	for i := range list {
		switch e := &list[i]; {
		case e.Kind == KindUnknown:
		case i >= most || e.Kind == KindVersion || e.Kind == KindUnreadable:
			open++
		default:
			if _, ok := m.undo(e); ok {
				open++
			} else {
				no.Lost = append(no.Lost, i+1)
			}
		}
	}
	switch {
	case open == 0:
		no.Reason, no.Chosen = RepairLost, &list[0]
	case no.Reason == RepairUncertain && (no.Chosen.Kind == KindVersion || no.Chosen.Kind == KindUnreadable):
		no.Reason = RepairSound
	}
	return no
}

// choose returns the explanation to undo.
func (how *Fix) choose() (*Explanation, error) {
	var known []*Explanation
	for i := range how.Explanations {
		if e := &how.Explanations[i]; e.Kind != KindUnknown {
			known = append(known, e)
		}
	}
	switch n := how.Apply; {
	case len(how.Explanations) == 0:
		return nil, &RepairError{Reason: RepairNothing}
	case n < 0 || n > len(how.Explanations):
		return nil, &RepairError{Reason: RepairNoSuch, Of: len(how.Explanations)}
	case n > 0 && how.Explanations[n-1].Kind == KindUnknown, len(known) == 0:
		return nil, &RepairError{Reason: RepairUnknown}
	case n > 0:
		return &how.Explanations[n-1], nil
	case len(known) > 1:
		return nil, &RepairError{Reason: RepairSeveral, Of: len(known)}
	case known[0].Confidence != Certain:
		return nil, &RepairError{Reason: RepairUncertain, Chosen: known[0], Of: 1}
	}
	return known[0], nil
}

// mender is one run of Repair.
type mender struct {
	blob   []byte
	o      Options
	before Verdict
}

// sound judges a candidate: whether the sum that decides matches, and whether
// all do.
func (m *mender) sound(blob []byte) (v Verdict, decides, all bool) {
	if len(blob) == 0 {
		return v, false, false
	}
	v = Judge(blob, m.o)
	if v.Damage != nil || len(v.Checksums) == 0 {
		return v, false, false
	}
	decides = v.Checksums[0].OK
	all = !slices.ContainsFunc(v.Checksums, func(c Checksum) bool { return !c.OK })
	return v, decides, all
}

// best returns the candidate with the most sums that match, the earlier one if
// there are several.
func (m *mender) best(candidates [][]byte) (out Repaired, ok bool) {
	seen := map[string]bool{string(m.blob): true}
	for _, c := range candidates {
		if seen[string(c)] {
			continue
		}
		seen[string(c)] = true
		v, decides, all := m.sound(c)
		if len(v.Checksums) > 1 && len(m.before.Checksums) > 1 && m.before.Checksums[1].OK && !all {
			continue
		}
		if all || decides && !ok {
			out, ok = Repaired{Bytes: c, After: v}, true
		}
		if all {
			break
		}
	}
	return out, ok
}

// finish compares the result with the file, and refuses what no kubelet accepts.
func (m *mender) finish(out Repaired, e *Explanation) (Repaired, error) {
	out.Before = m.before
	accepted := slices.ContainsFunc(out.After.Kubelets, func(a Answer) bool { return a.Verdict != Refused })
	if !accepted {
		no := &RepairError{Reason: RepairRefused, Chosen: e}
		for _, a := range out.After.Kubelets {
			if no.Release == "" || no.Release == "1.13" {
				no.Release, no.Refusal = a.Release, a.Error
			}
		}
		return Repaired{}, no
	}
	if m.before.Content != nil {
		out.Changes = Changes(m.before.Content, out.After.Content)
		for _, c := range out.Changes {
			if c.New == "" && c.Old != "" && strings.HasSuffix(c.Path, "]") {
				out.Gone = append(out.Gone, c.Path)
			}
		}
	}
	if e == nil {
		return out, nil
	}
	if e.Kind == KindTrailing {
		out.Gone = append(out.Gone, fmt.Sprintf("the %d bytes behind byte %d", len(m.blob)-int(e.Offset), e.Offset))
	}
	if out.Half {
		out.Gone = append(salvaged(m.blob, out.After.Kind), onlyInData(out.After.Kind))
	}
	return out, nil
}

// onlyInData says what the legacy half of a file does not hold.
func onlyInData(k Kind) string {
	if k == Memory {
		return "all else that only the lost half held: memory that pods hold as a whole"
	}
	return "all else that only the lost half held: CPUs that pods hold as a whole, and what containers held before they were resized"
}
