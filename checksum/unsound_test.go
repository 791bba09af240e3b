package checksum_test

import (
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strings"
	"testing"
	"unsafe"

	"github.com/kubeckpt/ckpt/checksum"
)

// clash prints its keys alike, panicking prints none.
type (
	clash     struct{ N int }
	panicking struct{ N int }
	box       struct{ V any }
)

func (clash) String() string     { return "same" }
func (panicking) String() string { panic("no") }

// deep returns n slices, one inside the other.
func deep(n int) any {
	var v any = 1
	for range n {
		v = []any{v}
	}
	return v
}

// chained returns n pointers, one to the other.
func chained(n int) any {
	var v any = 5
	for range n {
		v = ptr(v)
	}
	return v
}

func TestUnsound(t *testing.T) {
	loop := map[string]any{}
	loop["k"] = []any{0, map[int]any{7: loop}}
	slice := make([]any, 2)
	slice[1] = struct{ S []any }{slice[:2]}
	nested := nest{nil, nil}
	nested[1] = nested
	var self any
	self = &self
	var p chain
	p = &p
	list := &ring{}
	for range checksum.MaxDepth {
		list = &ring{Next: list}
	}
	var apart struct { // its fields without size have different addresses
		A struct{}
		N int
		B struct{}
		M int
	}
	var key any = 1
	for range checksum.MaxDepth + 2 {
		key = box{key}
	}

	for _, c := range []struct {
		name, path, typ string
		v               any
		why             checksum.Reason
	}{
		{"map in itself", `.["k"][1][7]`, "map[string]interface {}", loop, checksum.SelfContaining},
		{"slice in itself", ".[1].S", "[]interface {}", slice, checksum.SelfContaining},
		{"slice type in itself", ".[1]", "checksum_test.nest", nested, checksum.SelfContaining},
		{"pointer to itself", ".", "*interface {}", self, checksum.EndlessPointer},
		{"typed pointer to itself", ".P", "checksum_test.chain", struct{ P chain }{p}, checksum.EndlessPointer},
		{"deep slices", "." + strings.Repeat("[0]", 12) + "…" + strings.Repeat("[0]", 12), "[]interface {}", deep(checksum.MaxDepth + 1), checksum.TooDeep},
		{"long list", "." + strings.Repeat("Next.", 11) + "Next…" + strings.Repeat(".Next", 12), "checksum_test.ring", list, checksum.TooDeep},
		{"deep key", ".", "map[interface {}]int", map[any]int{key: 1}, checksum.TooDeep},
		{"func", ".F", "func()", struct{ F func() }{func() {}}, checksum.Address},
		{"chan", ".[0]", "chan int", []any{make(chan int)}, checksum.Address},
		{"unsafe pointer", ".", "unsafe.Pointer", unsafe.Pointer(&p), checksum.Address},
		{"uintptr", `.["a\n"]`, "uintptr", map[string]uintptr{"a\n": 1}, checksum.Address},
		{"NaN key", ".", "map[float64]int", map[float64]int{math.NaN(): 1}, checksum.NaNKey},
		{"complex NaN key", ".", "map[complex64]int", map[complex64]int{complex64(complex(math.Inf(1), math.NaN())): 1}, checksum.NaNKey},
		{"NaN in a key", ".[true]", "map[interface {}]int", map[bool]any{true: map[any]int{[1]any{box{math.NaN()}}: 1}}, checksum.NaNKey},
		{"pointer key", ".[8]", "map[*int]int", map[uint8]map[*int]int{8: {nil: 1}}, checksum.PointerKey},
		{"pointer in a key", ".", "map[checksum_test.box]int", map[box]int{{ptr(1)}: 1}, checksum.PointerKey},
		{"chan in a key", ".", "map[interface {}]int", map[any]int{make(chan int): 1}, checksum.PointerKey},
		{"uintptr key", ".", "uintptr", map[uintptr]int{1: 1}, checksum.Address},
		{"keys that print alike", ".", "map[checksum_test.clash]int", map[clash]int{{1}: 1, {2}: 2}, checksum.UnorderedKeys},
		{"keys that panic", ".", "map[checksum_test.panicking]int", map[panicking]int{{1}: 1}, checksum.UnorderedKeys},
		{"arrays without order", ".", "map[[1]interface {}]int", map[[1]any]int{{1}: 1, {2}: 2}, checksum.UnorderedKeys},
		{"arrays of arrays without order", ".", "map[[1][1]checksum_test.box]int", map[[1][1]box]int{{{{1}}}: 1, {{{2}}}: 2}, checksum.UnorderedKeys},
		{"unexported struct keys", ".m", "map[checksum_test.coord]int", struct{ m map[coord]int }{map[coord]int{{1, 2}: 3}}, checksum.UnexportedKeys},
		{"unexported array keys", ".m", "map[[1]int]int", struct{ m map[[1]int]int }{map[[1]int]int{{1}: 1, {2}: 2}}, checksum.UnexportedKeys},
		{"pointers to nothing", ".B.C", "*struct {}", struct {
			A *struct{}
			B struct{ C *struct{} }
		}{A: &struct{}{}, B: struct{ C *struct{} }{&struct{}{}}}, checksum.EmptyPointer},
		{"pointers to nothing elsewhere", ".B.C", "*struct {}", struct {
			A *struct{}
			B struct{ C *struct{} }
		}{A: &apart.A, B: struct{ C *struct{} }{&apart.B}}, checksum.EmptyPointer},
		{"several reasons", ".", "map[interface {}]int", map[any]int{math.NaN(): 1, ptr(1): 2, ptr(2): 3}, checksum.NaNKey},
		{"chain of too many", ".", "*interface {}", chained(checksum.MaxDepth + 1), checksum.EndlessPointer},
		{"long key in the path", `.["` + strings.Repeat("é", 32) + `…"]`, "func()", map[string]func(){strings.Repeat("é", 100): func() {}}, checksum.Address},
		{"other key in the path", ".[…]", "func()", map[float64]func(){1.5: func() {}}, checksum.Address},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := checksum.Dump(c.v, nil)
			var unsound *checksum.UnsoundError
			if !errors.As(err, &unsound) {
				t.Fatalf("got %v", err)
			}
			if unsound.Reason != c.why || unsound.Path != c.path || unsound.Type != c.typ {
				t.Errorf("got %q at %s of type %s,\nwant %q at %s of type %s", unsound.Reason, unsound.Path, unsound.Type, c.why, c.path, c.typ)
			}
			if !strings.HasPrefix(err.Error(), "no sound dump: "+c.path+" of type ") || strings.HasSuffix(err.Error(), string(c.why)) {
				t.Errorf("text %q", err)
			}
			if sum, err := checksum.Sum(c.v, nil); sum != 0 || err == nil {
				t.Errorf("Sum = %d, %v", sum, err)
			}
		})
	}
}

// TestSoundNearby has the values next to those of TestUnsound that must pass.
func TestSoundNearby(t *testing.T) {
	type circle struct{ S []*circle }
	round := &circle{}
	round.S = []*circle{round}
	type knot struct{ M map[string]*knot }
	tied := &knot{M: map[string]*knot{}}
	tied.M["self"] = tied
	common := []any{1}
	table := map[string]any{"a": 1}
	for name, v := range map[string]any{
		"slice in itself through a pointer": round.S,
		"map in itself through a pointer":   tied.M,
		"the same slice twice":              []any{common, common, []any{common}},
		"the same map twice":                []any{table, table, []any{table}},
		"a slice of its own memory":         func() any { s := []any{1, nil}; s[1] = s[:1]; return s }(),
		"as deep as allowed":                deep(checksum.MaxDepth),
		"chain of pointers":                 chained(checksum.MaxDepth),
		"key without pointers":              map[any]int{box{1}: 1, box{"1"}: 2},
		"one pointer to nothing":            map[string]*struct{}{"a": {}, "b": {}},
		"empty map of any keys":             struct{ m map[any]func() }{map[any]func(){}},
	} {
		if why := compare(t, v); why != "" {
			t.Errorf("%s: refused: %s", name, why)
		}
	}
}

// TestStack shows that the bound holds with a stack far below the default.
func TestStack(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(32 << 20))
	if _, err := checksum.Sum(deep(checksum.MaxDepth), nil); err != nil {
		t.Error(err)
	}
	if _, err := checksum.Sum(deep(5*checksum.MaxDepth), nil); err == nil {
		t.Error("no error")
	}
}

func TestCorruptCheckpointError(t *testing.T) {
	err := checksum.Checksum(1).Verify("x")
	wrapped := fmt.Errorf("layer: %w", err)
	if err.Error() != "checkpoint is corrupted" {
		t.Errorf("text %q", err)
	}
	for name, target := range map[string]error{
		"value": checksum.CorruptCheckpointError{}, "pointer": &checksum.CorruptCheckpointError{}, "sentinel": checksum.ErrCorruptCheckpoint,
	} {
		if !errors.Is(err, target) || !errors.Is(wrapped, target) {
			t.Errorf("no match by %s", name)
		}
	}
	if errors.Is(err, errors.New("checkpoint is corrupted")) {
		t.Error("matches by text")
	}
	var corrupt *checksum.CorruptCheckpointError
	if !errors.As(wrapped, &corrupt) || corrupt.ExpectedCS != 1 || checksum.Checksum(corrupt.ActualCS) != checksum.New("x") {
		t.Errorf("facts %+v", corrupt)
	}
	if err := checksum.New("x").Verify("x"); err != nil {
		t.Error(err)
	}
	if err := (checksum.New("x") + 1<<32).Verify("x"); err == nil {
		t.Error("the upper half is not compared")
	}
}
