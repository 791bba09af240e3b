package checksum

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Reason says why a value has no sound dump.
type Reason string

const (
	// SelfContaining is a map or slice that contains itself without a pointer
	// in between. dump.ForHash overflows the stack on it.
	SelfContaining Reason = "self-containing"
	// EndlessPointer is a chain of more than MaxDepth pointers, such as one that
	// points to itself. dump.ForHash never returns from the latter.
	EndlessPointer Reason = "endless-pointer"
	// TooDeep is nesting beyond MaxDepth.
	TooDeep Reason = "too-deep"
	// Address is a channel, function, unsafe.Pointer or uintptr that is not
	// zero: its text is a number that differs between processes.
	Address Reason = "address"
	// NaNKey is a map key that is or contains a NaN: it has no place in the
	// order of keys, and its element cannot be looked up.
	NaNKey Reason = "nan-key"
	// PointerKey is a map key that is or contains a pointer or channel, so that
	// keys which print alike can be different.
	PointerKey Reason = "pointer-key"
	// UnorderedKeys are keys that dump.ForHash leaves in the random order of the
	// map, because two of them sort alike.
	UnorderedKeys Reason = "unordered-keys"
	// UnexportedKeys is a map in an unexported field whose keys are structs,
	// arrays, interfaces or complex numbers. Sorting them panics in go-spew; fmt
	// swallows the panic and the rest of the value is missing from the text.
	UnexportedKeys Reason = "unexported-keys"
	// EmptyPointer is a pointer to a value without size below another one. The
	// language leaves open whether they are equal, and only if they are does
	// the dump say "<shown>".
	EmptyPointer Reason = "empty-pointer"
	// RenamedInside is a type whose text mentions a renamed type in a place that
	// Names does not reach: in a function, channel, struct or interface type
	// without a name, in the arguments of a generic type that is not itself
	// renamed, or in a key whose order could depend on it.
	RenamedInside Reason = "renamed-inside"
)

func (r Reason) text() string {
	switch r {
	case SelfContaining:
		return "contains itself"
	case EndlessPointer:
		return "is a chain of more than " + strconv.Itoa(MaxDepth) + " pointers"
	case TooDeep:
		return "is nested deeper than " + strconv.Itoa(MaxDepth) + " levels"
	case Address:
		return "holds an address, which differs between processes"
	case NaNKey:
		return "has a key with a NaN, which cannot be ordered"
	case PointerKey:
		return "has a key with a pointer, which cannot be ordered"
	case UnorderedKeys:
		return "has keys that sort alike"
	case UnexportedKeys:
		return "has keys that cannot be sorted in an unexported field"
	case EmptyPointer:
		return "points to a value without size below another such pointer"
	case RenamedInside:
		return "mentions a renamed type where renaming does not reach"
	}
	return string(r)
}

// UnsoundError reports a value whose dump is not a function of the value, or
// cannot be computed at all.
type UnsoundError struct {
	// Path leads to the culprit in Go's notation, such as `.Entries["a"][2]`.
	// The value itself is ".". Long paths have an ellipsis in the middle.
	Path string
	// Type is the Go type of what is there.
	Type string
	// Reason is one of the constants of this package.
	Reason Reason

	steps []string // of Path, innermost first, while the dump unwinds
}

func (e *UnsoundError) Error() string {
	return fmt.Sprintf("no sound dump: %s of type %q %s", e.Path, e.Type, e.Reason.text())
}

// in adds the step that leads from the enclosing value to the culprit.
func (e *UnsoundError) in(step string) *UnsoundError {
	e.steps = append(e.steps, step)
	return e
}

// done turns the collected steps into Path.
func (e *UnsoundError) done() error {
	const ends = 12 // steps shown of either end
	steps := e.steps
	slices.Reverse(steps)
	if len(steps) > 2*ends {
		steps = slices.Concat(steps[:ends], []string{"…"}, steps[len(steps)-ends:])
	}
	e.Path, e.steps = strings.Join(steps, ""), nil
	if !strings.HasPrefix(e.Path, ".") {
		e.Path = "." + e.Path
	}
	return e
}
