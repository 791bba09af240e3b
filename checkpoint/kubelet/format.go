package kubelet

import (
	"encoding/json"
	"hash/fnv"
	"reflect"

	"github.com/kubeckpt/ckpt/checksum"
)

// A format is all that is known of one on-disk version: one row of the table.
// What varies between releases that read the same format is in the restore
// paths (path.go), which name formats by version.
type format struct {
	id     FormatID
	title  string // one line for people
	shape  string // the JSON, with the names in it
	source string // where upstream the facts were read
	writes []writer

	// fresh makes a document with the maps that the kubelet's constructor
	// makes, since the hash tells nil from empty.
	fresh func() any
	// prefilled: the kubelet reads over a valid, empty document, so that a
	// file without Data and Checksum passes.
	prefilled bool
	// decode fills the document; nil: encoding/json alone. An error of the
	// second step, an inner document, is a *stage.
	decode func(blob []byte, doc any) error
	// claims: the document, half filled as it may be, is certainly of this
	// format. Nil: never certain.
	claims func(doc any) bool
	// sums holds the stored sums. The first decides.
	sums []sum
	// content says what the document means, in the kind's own terms. It
	// decodes an inner document that the kubelet decodes only after the sum.
	content func(doc any) (any, error)
	// build is the way back: the document that a release writes for content.
	// What the format cannot hold is left out. Nil: no release writes it.
	build func(content any, release string) (any, error)
	// inMemory yields the documents that are written as the same JSON but
	// hashed otherwise: what a kubelet may have held when it wrote a file that
	// it cannot read back. Each comes with the reason.
	inMemory func(doc any, yield func(doc any, why string) bool)
	// legacy is the format that older kubelets take the file for; nil: none.
	legacy *format
	// inner is the document within a string field, for the JSON report.
	inner *innerDoc
	// names of our Go types as the kubelet prints them, without the document.
	names checksum.Names
}

// innerDoc is a JSON document inside a string field of another.
type innerDoc struct {
	field string           // JSON name of the string field
	typ   reflect.Type     // what it decodes to
	older []reflect.Type   // what releases wrote that knew fewer members
	text  func(any) string // the string
}

// writer is a range of releases that write a format, under one gate setting.
type writer struct {
	span Span
	gate string // name of the gate that must be on; empty: none
}

// sum is one stored checksum of a format.
type sum struct {
	field     string
	algorithm string
	stored    func(doc any) uint64
	set       func(doc any, v uint64)
	// spellings that some kubelet accepts. The first is what is written.
	spellings []spelling
}

// spelling is one text that a sum may be taken over.
type spelling struct {
	typeName string // the name that the dump starts with
	// value is what is dumped, and its type names.
	value func(doc any) (any, checksum.Names)
	// rewrite changes the dumped text; nil: not at all.
	rewrite func(string) string
}

const (
	algFNV = "fnv32a-dump"
	algCRC = "crc32-ieee"
)

func (f *format) unmarshal(blob []byte, doc any) error {
	if f.decode != nil {
		return f.decode(blob, doc)
	}
	return json.Unmarshal(blob, doc)
}

func (f *format) docType() reflect.Type {
	return reflect.TypeOf(f.fresh()).Elem()
}

// spelled returns the spelling under typeName.
func (s *sum) spelled(typeName string) *spelling {
	for i := range s.spellings {
		if s.spellings[i].typeName == typeName {
			return &s.spellings[i]
		}
	}
	return nil
}

// compute returns the sum of doc in this spelling.
func (s *sum) compute(sp *spelling, doc any) (uint64, error) {
	v, names := sp.value(doc)
	if text, ok := v.(string); ok {
		if s.algorithm == algCRC {
			return uint64(checksum.CRC32([]byte(text))), nil
		}
		return uint64(checksum.OfString(text)), nil
	}
	if sp.rewrite == nil {
		cs, err := checksum.Sum(v, names)
		return uint64(cs), err
	}
	text, err := checksum.Dump(v, names)
	h := fnv.New32a()
	h.Write([]byte(sp.rewrite(text)))
	return uint64(h.Sum32()), err
}

// text returns what is summed.
func (s *sum) text(sp *spelling, doc any) (string, error) {
	v, names := sp.value(doc)
	if data, ok := v.(string); ok && s.algorithm == algCRC {
		return data, nil
	}
	text, err := checksum.Dump(v, names)
	if sp.rewrite != nil {
		text = sp.rewrite(text)
	}
	return text, err
}

// of lets a table row hold a function of a concrete document type.
func of[T, R any](f func(*T) R) func(any) R {
	return func(doc any) R { return f(doc.(*T)) }
}

// of2 is of for functions that may fail.
func of2[T, R any](f func(*T) (R, error)) func(any) (R, error) {
	return func(doc any) (R, error) { return f(doc.(*T)) }
}

// of3 is of for build.
func of3[C any](f func(*C, string) (any, error)) func(any, string) (any, error) {
	return func(content any, release string) (any, error) { return f(content.(*C), release) }
}

// sumOf is the sum in the field that at points to.
func sumOf[D any, N ~uint32 | ~uint64](field, algorithm string, at func(*D) *N, spellings ...spelling) sum {
	return sum{
		field: field, algorithm: algorithm, spellings: spellings,
		stored: func(doc any) uint64 { return uint64(*at(doc.(*D))) },
		set:    func(doc any, v uint64) { *at(doc.(*D)) = N(v) },
	}
}

// unmarshalInto lets a row decode in two steps.
func unmarshalInto[T any](f func([]byte, *T) error) func([]byte, any) error {
	return func(blob []byte, doc any) error { return f(blob, doc.(*T)) }
}

// dumped is the spelling of a struct dump: value picks what is hashed (a copy
// with the sum zeroed), whose type T prints as name.
func dumped[D, T any](name string, names checksum.Names, value func(*D) any) spelling {
	all := checksum.Merge(names, checksum.Name[T](name))
	return spelling{typeName: name, value: func(doc any) (any, checksum.Names) { return value(doc.(*D)), all }}
}

// dumpedString is the spelling of a string field.
func dumpedString[D any](value func(*D) string) spelling {
	return spelling{typeName: "string", value: func(doc any) (any, checksum.Names) { return value(doc.(*D)), nil }}
}
