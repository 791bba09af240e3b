package migrate

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// Chain is the versions of a document, oldest first. Use NewChain.
type Chain struct {
	versions []Version
}

// NewChain returns the chain of versions, given oldest first.
func NewChain(versions ...Version) (*Chain, error) {
	if len(versions) == 0 {
		return nil, errors.New("a chain needs at least one version")
	}
	for i, v := range versions {
		name, n, ok := number(v.id)
		if !ok || v.typ == nil {
			return nil, fmt.Errorf("version %d of the chain has the id %q, want a name and a number as in %q", i, v.id, "v1")
		}
		if name == "" || strings.ContainsFunc(name, isNoPartOfAName) {
			return nil, fmt.Errorf("version %d of the chain has the id %q, want a name without spaces and control characters before the number", i, v.id)
		}
		if i == 0 {
			if v.previous != nil {
				return nil, fmt.Errorf("version %q is the oldest, but has a step down to %s", v.id, v.previous)
			}
			continue
		}
		before := versions[i-1]
		oldName, old, _ := number(before.id)
		switch {
		case name != oldName || n <= old:
			return nil, fmt.Errorf("version %q does not follow %q, want %q and a higher number", v.id, before.id, oldName)
		case v.up == nil || v.down == nil:
			return nil, fmt.Errorf("version %q lacks a step from or to %q", v.id, before.id)
		case v.previous != before.typ:
			return nil, fmt.Errorf("the steps of version %q are from and to %s, but %q is %s", v.id, v.previous, before.id, before.typ)
		}
	}
	return &Chain{versions: slices.Clone(versions)}, nil
}

// isNoPartOfAName tells what would make an id unreadable where it is printed, or one
// line of it two.
func isNoPartOfAName(r rune) bool {
	return r == unicode.ReplacementChar || unicode.IsSpace(r) || !unicode.IsPrint(r)
}

// Versions returns the versions, oldest first.
func (c *Chain) Versions() []Version { return slices.Clone(c.versions) }

// Newest returns the newest version.
func (c *Chain) Newest() Version { return c.versions[len(c.versions)-1] }

// Version returns the version with an id, or a *NewerVersionError or
// *UnknownVersionError.
func (c *Chain) Version(id string) (Version, error) {
	i, err := c.index(id)
	if err != nil {
		return Version{}, err
	}
	return c.versions[i], nil
}

func (c *Chain) index(id string) (int, error) {
	known := make([]string, len(c.versions))
	for i, v := range c.versions {
		if v.id == id {
			return i, nil
		}
		known[i] = v.id
	}
	newest := c.Newest().id
	name, n, ok := number(id)
	if ours, last, _ := number(newest); ok && name == ours && n > last {
		return 0, &NewerVersionError{Found: id, Newest: newest}
	}
	return 0, &UnknownVersionError{Found: id, Known: known}
}

// Convert turns a pointer to a document of one version into a pointer to one of
// another. On the way from a version to itself nothing is done.
func (c *Chain) Convert(doc any, from, to string) (any, []Lost, error) {
	at, err := c.index(from)
	if err != nil {
		return nil, nil, err
	}
	end, err := c.index(to)
	if err != nil {
		return nil, nil, err
	}
	v := reflect.ValueOf(doc)
	if !v.IsValid() || v.Type() != reflect.PointerTo(c.versions[at].typ) {
		return nil, nil, fmt.Errorf("version %q has documents of type *%s, not %T", from, c.versions[at].typ, doc)
	}
	if v.IsNil() {
		return nil, nil, fmt.Errorf("version %q has documents of type *%s, not a nil %T", from, c.versions[at].typ, doc)
	}
	var lost []Lost
	for at != end {
		next, do := at+1, step(nil)
		if end < at {
			next, do = at-1, c.versions[at].down
		} else {
			do = c.versions[next].up
		}
		here, there := c.versions[at].id, c.versions[next].id
		out, losses, err := do(doc)
		if err != nil {
			return nil, nil, &StepError{From: here, To: there, Err: err}
		}
		for _, l := range losses {
			lost = append(lost, Lost{Loss: l, From: here, To: there})
		}
		doc, at = out, next
	}
	return doc, lost, nil
}
