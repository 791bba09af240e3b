package checkpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/kubeckpt/ckpt/checksum"
	"github.com/kubeckpt/ckpt/migrate"
)

// Legacy describes the file that a program wrote with the kubelet's package, or
// with the manager of this one, before it had a State: {"checksum":…,"v1":{…}}.
// C is the Checkpoint of that program, D the document of a version.
type Legacy[C, D any] struct {
	// Version is the version whose documents the file holds, the oldest as a rule.
	Version string
	// Names are the names under which the old program's types were printed, if
	// they have been renamed or moved since: checksum.Name[store]("main.Checkpoint").
	// The names that the version has in the chain are added.
	Names checksum.Names
	// Sum returns the field that holds the checksum. If it is nil, *C must be a
	// Checkpoint, and its own methods are used.
	Sum func(*C) *checksum.Checksum
	// Of returns what the checksum is of, while the field is 0. Nil stands for the
	// *C itself. Many drivers sum its JSON: then it is SumOfJSON[C].
	Of func(*C) any
	// Read takes the document out of a file, Write puts one into a file. They say
	// what the other form has no place for, like the steps of a migrate.Version.
	// Without Write such files are read and never written.
	Read  func(*C) (*D, []migrate.Loss, error)
	Write func(*D) (*C, []migrate.Loss, error)
}

// SumOfJSON returns the JSON of c, for Legacy.Of.
func SumOfJSON[C any](c *C) any {
	blob, err := json.Marshal(*c)
	if err != nil {
		return err // Its dump is the sum of no file.
	}
	return blob
}

// WithLegacy reads files of the kubelet's package, and writes that form into the
// same file if WithDualWrite reaches its version, so that the old program reads
// what the new one has written.
func WithLegacy[C, D any](l Legacy[C, D]) Option {
	return func(c *core) {
		c.legacy = &legacyForm{version: l.Version, doc: reflect.TypeFor[D](), complete: l.Read != nil, writes: l.Write != nil}
		if _, ok := any(new(C)).(Checkpoint); l.Sum == nil && !ok {
			c.legacy.complete = false
		}
		c.legacy.members = membersOf(new(C))
		c.legacy.parse = func(blob []byte, names checksum.Names) (any, []migrate.Lost, []byte, error) {
			cp := new(C)
			again, err := l.decode(blob, cp, checksum.Merge(names, l.Names))
			if err != nil {
				return nil, nil, nil, err
			}
			doc, lost, err := l.Read(cp)
			if err == nil && doc == nil {
				err = errors.New("there is no document in it")
			}
			if err != nil {
				return nil, nil, nil, legacyFault(ReasonDocument, err)
			}
			return doc, lostBetween(LegacyForm, l.Version, lost), again, nil
		}
		c.legacy.format = func(doc any, names checksum.Names) ([]byte, []migrate.Lost, error) {
			cp, lost, err := l.Write(doc.(*D))
			if err == nil && cp == nil {
				err = errors.New("there is no checkpoint to write")
			}
			if err != nil {
				return nil, nil, err
			}
			blob, err := l.encode(cp, checksum.Merge(names, l.Names))
			return blob, lostBetween(l.Version, LegacyForm, lost), err
		}
	}
}

// legacyForm is a Legacy whose types are forgotten.
type legacyForm struct {
	version  string
	doc      reflect.Type
	complete bool // it has all the functions it needs
	writes   bool
	members  []string // that such a file has, whatever it says
	// parse returns the document and how we would write the file.
	parse  func(blob []byte, names checksum.Names) (doc any, lost []migrate.Lost, again []byte, err error)
	format func(doc any, names checksum.Names) ([]byte, []migrate.Lost, error)
}

// lostBetween adds the step to losses.
func lostBetween(from, to string, losses []migrate.Loss) (lost []migrate.Lost) {
	for _, l := range losses {
		lost = append(lost, migrate.Lost{Loss: l, From: from, To: to})
	}
	return lost
}

// decode reads and verifies a file and returns how it is written. Fields that C
// does not have come first, at whatever depth: the sum covers what C has, so that
// it may not fit when a newer program has added one, and nothing is corrupt then;
// and if it fits all the same, the next write would lose the field.
func (l *Legacy[C, D]) decode(blob []byte, cp *C, names checksum.Names) ([]byte, error) {
	if l.Sum == nil {
		return l.decodeByItself(blob, any(cp).(Checkpoint))
	}
	if unknown := l.unknown(blob); unknown != nil {
		return nil, unknown
	}
	if err := json.Unmarshal(blob, cp); err != nil {
		return nil, legacyFault(ReasonDocument, err)
	}
	stored := *l.Sum(cp)
	got, bad := l.sum(cp, names)
	if bad == nil && got != stored {
		bad = &CorruptCheckpointError{ActualCS: uint64(got), ExpectedCS: uint64(stored)}
	}
	*l.Sum(cp) = stored
	again, err := json.Marshal(*cp)
	if err != nil {
		return nil, legacyFault(ReasonDocument, err)
	}
	return l.checked(blob, again, nil, bad)
}

const strictVersion = "v1" // of a chain that is used to decode, and no more

// unknown returns the fields of blob that C does not have for encoding/json.
func (l *Legacy[C, D]) unknown(blob []byte) *migrate.UnknownFieldsError {
	strict, err := migrate.NewChain(migrate.First[C](strictVersion))
	if err != nil {
		return nil // one version is always a chain
	}
	var unknown *migrate.UnknownFieldsError
	if _, err := strict.Decode(strictVersion, blob); !errors.As(err, &unknown) {
		return nil
	}
	unknown.Version = l.Version
	return unknown
}

// decodeByItself has a Checkpoint do all that. How it decodes is its own affair, so
// a field that is unknown to encoding/json is not unknown for that.
func (l *Legacy[C, D]) decodeByItself(blob []byte, cp Checkpoint) ([]byte, error) {
	if err := cp.UnmarshalCheckpoint(blob); err != nil {
		return nil, legacyFault(ReasonDocument, err)
	}
	bad := cp.VerifyChecksum()
	again, err := cp.MarshalCheckpoint()
	if err != nil {
		return nil, legacyFault(ReasonDocument, err)
	}
	return l.checked(blob, again, l.unknown(blob), bad)
}

// checked returns how a file is written, if its sum is not bad and if it has no
// field that is unknown: one that does not come back when it is written. Of those,
// encoding/json knows which C lacks; for a type that decodes itself a bad sum is
// the only other sign.
func (l *Legacy[C, D]) checked(blob, again []byte, unknown *migrate.UnknownFieldsError, bad error) ([]byte, error) {
	dropped, err := droppedMembers(blob, again)
	if err != nil {
		return nil, legacyFault(ReasonDocument, err)
	}
	var fields []string
	for _, d := range dropped {
		// What is empty may be left out when it is written, and is no loss.
		if !d.empty && (unknown != nil || bad != nil) || unknown != nil && slices.Contains(unknown.Fields, d.path) {
			fields = append(fields, d.path)
		}
	}
	if len(fields) > 0 {
		return nil, &migrate.UnknownFieldsError{Version: l.Version, Fields: fields}
	}
	if bad != nil {
		return nil, legacyFault(ReasonSum, bad)
	}
	return again, nil
}

func (l *Legacy[C, D]) encode(cp *C, names checksum.Names) ([]byte, error) {
	if l.Sum == nil {
		return any(cp).(Checkpoint).MarshalCheckpoint()
	}
	sum, err := l.sum(cp, names)
	if err != nil {
		return nil, err
	}
	*l.Sum(cp) = sum
	return json.Marshal(*cp)
}

// sum returns the sum of cp and leaves its field 0.
func (l *Legacy[C, D]) sum(cp *C, names checksum.Names) (checksum.Checksum, error) {
	*l.Sum(cp) = 0
	if l.Of == nil {
		return checksum.Sum(cp, names)
	}
	v := l.Of(cp)
	if err, ok := v.(error); ok {
		return 0, err
	}
	return checksum.Sum(v, names)
}

func legacyFault(r Reason, err error) *FormatError {
	e := &FormatError{Reason: r, Err: err, Text: "the file in the kubelet's form does not decode: " + err.Error()}
	var sums *CorruptCheckpointError
	switch {
	case errors.As(err, &sums):
		e.Found, e.Want = fmt.Sprint(sums.ActualCS), fmt.Sprint(sums.ExpectedCS)
		e.Text = fmt.Sprintf("the checksum of the file in the kubelet's form is %s, but %s is stored", e.Found, e.Want)
	case r == ReasonSum:
		e.Text = "the checksum of the file in the kubelet's form is refused: " + err.Error()
	}
	return e
}

// legacyFile reads the members of a file that are not the envelope. It returns
// the document and the digest of how we would write it.
func (c *core) legacyFile(file object) (doc any, lost []migrate.Lost, sum string, err error) {
	doc, lost, again, err := c.legacy.parse(file.bytes(), c.legacyNames())
	if err != nil {
		return nil, nil, "", err
	}
	return doc, lost, digest(again), nil
}

func (c *core) legacyNames() checksum.Names {
	v, err := c.chain.Version(c.legacy.version)
	if err != nil {
		return nil // check has made sure that it is there
	}
	return v.Names()
}

// legacyObject returns the members that the old program is to read.
func (c *core) legacyObject(doc any) (object, *legacyRecord, []migrate.Lost, error) {
	blob, lost, err := c.legacy.format(doc, c.legacyNames())
	if err != nil {
		return nil, nil, nil, fmt.Errorf("in the form of the kubelet's package: %w", err)
	}
	o, err := parseObject(blob)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("in the form of the kubelet's package: %w", err)
	}
	if o.get(envelopeMember) != nil {
		return nil, nil, nil, fmt.Errorf("the form of the kubelet's package has a member %q, which is the envelope's", envelopeMember)
	}
	return o, &legacyRecord{Members: o.names(), SHA256: digest(blob)}, lost, nil
}

// membersOf returns the names of the members that an empty c is written with.
func membersOf(c any) []string {
	blob, err := json.Marshal(c)
	if err != nil {
		return nil
	}
	o, err := parseObject(blob)
	if err != nil {
		return nil
	}
	return o.names()
}
