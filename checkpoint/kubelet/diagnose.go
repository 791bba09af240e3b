package kubelet

import (
	"cmp"
	"context"
	"sort"
)

// DiagnoseOptions narrows what Diagnose looks for. The zero DiagnoseOptions
// takes what is cheap: well under a second for the file of a full node.
type DiagnoseOptions struct {
	Options
	// Deep also tries what takes seconds: any range of CPUs, any amount of
	// memory in MiB. Such a search finds little, and is the likelier to find
	// something by chance.
	Deep bool
	// Progress is told the name of each stage of the search before it
	// starts; nil: nobody is.
	Progress func(stage string)
	// Hints are names that the node's other files hold. A removed entry can be
	// named only with them.
	Hints Hints
}

// Hints are what an entry that is gone may have been called.
type Hints struct {
	PodUIDs    []string
	Containers []string
}

// Kinds of explanations.
const (
	KindValue      = "value-changed"
	KindByte       = "byte-changed"
	KindKey        = "key-changed"
	KindAdded      = "entry-added"
	KindMissing    = "entry-missing"
	KindSwapped    = "entries-swapped"
	KindPair       = "pair-changed"
	KindNull       = "null-or-empty"
	KindVersion    = "other-version"
	KindUnreadable = "written-unreadable"
	KindEncoding   = "encoding"
	KindTruncated  = "truncated"
	KindTrailing   = "trailing-data"
	KindHalves     = "halves-differ"
	KindUnknown    = "unknown"
)

// Confidence is how far an explanation can be trusted.
type Confidence string

const (
	// Certain: this was the only candidate of few enough (see maxCertain)
	// that gives the stored checksum, or something beside the sum says the same.
	Certain Confidence = "certain"
	// Likely: the only one, but of more candidates.
	Likely Confidence = "likely"
	// Possible: one of several, or of so many that chance may have found it.
	Possible Confidence = "possible"
)

// maxCertain candidates hit a sum of 32 bits by chance once in 100,000 files;
// maxLikely, once in 1,000.
const (
	maxCertain = 42_950
	maxLikely  = 4_295_000
)

// Explanation is one thing that may have happened to a file. Each was checked:
// with it undone, the stored checksum matches.
type Explanation struct {
	Kind string `json:"kind"`
	// Path of the value: entries["uid"]["container"]. What is in the document
	// within a string begins with the string's name: data.entries…
	Path string `json:"path"`
	// Old is the value when the sum was made and New the one in the file, as
	// JSON text without quotes for strings.
	Old string `json:"old"`
	New string `json:"new"`

	Confidence Confidence `json:"confidence"`
	// Tried is how many other files would have been taken for an explanation
	// as well, up to and including this kind, and Chance how likely one of them
	// is to have the sum by accident.
	Tried  uint64  `json:"tried"`
	Chance float64 `json:"chance"`
	// Offset of the place in the file, in bytes; -1 if it has none. With
	// KindTrailing, the length of the file that is whole.
	Offset int64 `json:"offset"`
	// Length of the place; 0 if not known.
	Length int64  `json:"length"`
	Text   string `json:"text"` // one sentence, without a full stop

	// Also are the other changes that belong to this one.
	Also []Change `json:"also,omitempty"`
	// Evidence says what speaks for it beside the sum.
	Evidence []string `json:"evidence,omitempty"`
	// Whole are the paths of the entries that a cut-off file still has complete.
	Whole []string `json:"whole,omitempty"`

	was *wholeFile
}

// wholeFile is a file with an explanation undone, where the whole of it is known.
type wholeFile struct{ blob []byte }

// Change is one value that differs.
type Change struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Diagnose says what may have happened to a file that is not as a kubelet wrote
// it, the best explanation first. For a good file there are none, and where
// nothing is found there is one of KindUnknown.
//
// It is as pure as [Judge]. When ctx ends it stops and says what it has.
func Diagnose(ctx context.Context, blob []byte, o DiagnoseOptions) []Explanation {
	found, kind := diagnose(ctx, blob, o)
	// Two kinds share an envelope, and nothing else tells them apart once the
	// document in it is broken.
	if kind == Allocated && o.Kind == "" && kindOfName(o.FileName) == "" && len(found) == 1 && found[0].Kind == KindUnknown {
		o.Kind = DRA
		if other, _ := diagnose(ctx, blob, o); len(other) > 0 && other[0].Kind != KindUnknown {
			return other
		}
	}
	return found
}

func diagnose(ctx context.Context, blob []byte, o DiagnoseOptions) ([]Explanation, Kind) {
	d := &diagnosis{ctx: ctx, blob: blob, o: &o, v: Judge(blob, o.Options), s: newSession(blob)}
	d.k = tableOf(d.v.Kind)
	if d.v.State == StateOther && !d.v.wrongKind() && len(d.v.Checksums) > 0 && !d.v.Checksums[0].OK {
		whoever := o.Options
		whoever.Releases = nil // that those who were asked do not read it is not all
		d.v = Judge(blob, whoever)
	}
	switch {
	case d.v.State == StateDamaged && d.v.Damage.Reason == DamageCPUs:
	case d.v.State == StateDamaged:
		d.damaged()
	case d.k == nil:
		return nil, d.v.Kind
	case d.v.State == StateOther:
		d.otherVersion()
	case d.v.State == StateUnsigned:
		if id := d.s.identify(d.k); id.format != nil {
			d.fieldNames(id.format)
		}
	default:
		d.sums()
	}
	if len(d.found) == 0 && d.v.State != StateOK && d.v.State != StateUnsigned {
		d.unknown()
	}
	for i := range d.found {
		e := &d.found[i]
		e.Chance = float64(e.Tried) / (1 << 32)
	}
	sort.SliceStable(d.found, func(i, j int) bool {
		a, b := d.found[i], d.found[j]
		return cmp.Or(cmp.Compare(confidenceRank(a), confidenceRank(b)), cmp.Compare(a.Tried, b.Tried)) < 0
	})
	return d.found, d.v.Kind
}

func confidenceRank(e Explanation) int {
	switch {
	case e.Kind == KindUnknown:
		return 3
	case e.Confidence == Certain:
		return 0
	case e.Confidence == Likely:
		return 1
	}
	return 2
}

// diagnosis is one run of Diagnose.
type diagnosis struct {
	ctx   context.Context
	blob  []byte
	o     *DiagnoseOptions
	v     Verdict
	s     *session
	k     *kindTable
	found []Explanation
	tried uint64

	places map[string]node // of the file, by path; nil until asked for
	// inFile turns a place in the document within a string into one in the
	// file; nil where there is none.
	inFile func(inner int) int
}

func (d *diagnosis) stage(name string) {
	if d.o.Progress != nil {
		d.o.Progress(name)
	}
}

func (d *diagnosis) stopped() bool { return d.ctx.Err() != nil }

func (d *diagnosis) add(e Explanation) { d.found = append(d.found, e) }

// sums explains the sums of a file that decodes.
func (d *diagnosis) sums() {
	id := d.s.identify(d.k)
	if id.format == nil {
		return
	}
	f := id.format
	if id.good {
		if len(d.v.Checksums) > 1 {
			d.legacyHalf(f)
		}
		return
	}
	for _, stage := range []struct {
		name string
		run  func(f *format)
	}{
		{"other printed names and versions", d.otherNames},
		{"names of fields", d.fieldNames},
		{"the other half", d.otherHalf},
		{"encodings", d.encodingOfValues},
		{"values that do not decode", d.unreadable},
		{"the sum itself", d.sumItself},
		{"sums exchanged", d.swappedSums},
		{"what a kubelet may have held in memory", d.inMemory},
	} {
		d.stage(stage.name)
		stage.run(f)
		if len(d.found) > 0 || d.stopped() {
			return
		}
	}
	for _, f := range d.readings(id) {
		d.search(f, &f.sums[0])
		if len(d.found) > 0 {
			return
		}
	}
}

// readings returns the formats that the file may have been written in: the one
// it was taken for, and those that know as much of it.
func (d *diagnosis) readings(id identity) []*format {
	list := []*format{id.format}
	if id.format.claims != nil {
		return list
	}
	for _, f := range d.k.formats {
		if f != id.format && len(f.writes) > 0 && f.claims == nil && d.s.decode(f).err == nil && d.s.unknown(f) == d.s.unknown(id.format) {
			list = append(list, f)
		}
	}
	return list
}

// search runs the search for edits in the text of one sum.
func (d *diagnosis) search(f *format, sm *sum) {
	sk, err := d.s.sketchOf(d.k.kind, f, sm, &sm.spellings[0])
	if err != nil {
		return
	}
	s := newSearch(d, f, sm, sk)
	if !s.text.Fits() {
		s.run()
	}
}
