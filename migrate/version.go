package migrate

import (
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"
)

// Version is one on-disk version of a document. The zero Version is none; use
// First and Next.
type Version struct {
	id       string
	typ      reflect.Type // of the document
	previous reflect.Type // of the predecessor's document; nil for the first
	names    map[reflect.Type]string
	up, down step
}

// step takes and returns a pointer to a document.
type step func(doc any) (any, []Loss, error)

// First returns the oldest version, whose documents are Ts.
func First[T any](id string) Version {
	return Version{id: id, typ: reflect.TypeFor[T]()}
}

// Next returns the version that follows the one whose documents are As. A step
// that leaves something out reports it as a Loss; one that returns an error ends
// the conversion.
func Next[A, B any](id string, up func(*A) (*B, []Loss, error), down func(*B) (*A, []Loss, error)) Version {
	v := Version{id: id, typ: reflect.TypeFor[B](), previous: reflect.TypeFor[A]()}
	if up != nil && down != nil {
		v.up, v.down = erase(up), erase(down)
	}
	return v
}

// erase forgets the types of a step. Convert has checked that doc is an *A.
func erase[A, B any](do func(*A) (*B, []Loss, error)) step {
	return func(doc any) (any, []Loss, error) {
		out, losses, err := do(doc.(*A))
		if err == nil && out == nil {
			err = fmt.Errorf("the step returned no document")
		}
		return out, losses, err
	}
}

// Named returns v with the names under which Go types are printed when a sum of a
// v document is made, as package checksum takes them.
func (v Version) Named(names map[reflect.Type]string) Version {
	v.names = maps.Clone(names)
	return v
}

// ID returns the id of the version, such as "v2".
func (v Version) ID() string { return v.id }

// Type returns the type of the version's documents.
func (v Version) Type() reflect.Type { return v.typ }

// Names returns what Named has set.
func (v Version) Names() map[reflect.Type]string { return maps.Clone(v.names) }

// New returns a pointer to an empty document.
func (v Version) New() any { return reflect.New(v.typ).Interface() }

// number splits an id into its name and number.
func number(id string) (name string, n int, ok bool) {
	name = strings.TrimRight(id, "0123456789")
	digits := id[len(name):]
	n, err := strconv.Atoi(digits)
	return name, n, err == nil && strconv.Itoa(n) == digits
}
