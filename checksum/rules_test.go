package checksum_test

import (
	"math"
	"testing"
	"time"
	"unsafe"

	"k8s.io/utils/dump"

	"github.com/kubeckpt/ckpt/checksum"
)

// Types of the hand-made cases. Their printed name is "checksum_test.…".
type (
	table struct{ Total, Free uint64 }
	kind  string
	cells struct {
		Map   map[kind]*table
		Cells []int
		Any   any
	}
	ring struct {
		Name string
		Next *ring
	}
	shared struct {
		Top *int
		Sub struct{ Deep *int }
	}
	overlap struct {
		First ring
		Self  *overlap
		Inner struct{ P *ring }
	}
	twice struct {
		A *int
		B struct{ Same *int }
		C *int
		D struct{ Same *int }
	}
)

func ptr[T any](v T) *T { return &v }

// TestRules has a case for each rule of the text, with the text as a person
// reads it, and holds the library to it as well.
func TestRules(t *testing.T) {
	five := 5
	var nilInt *int
	circle := &ring{Name: "a", Next: &ring{Name: "b"}}
	circle.Next.Next = circle
	over := &overlap{}
	over.Inner.P = &over.First
	var boxed any = ptr(5)

	for _, c := range []struct {
		rule string
		v    any
		want string
	}{
		{"untyped nil", nil, "(interface {})<nil>"},
		{"value with type", table{1, 2}, "(checksum_test.table){Total:(uint64)1 Free:(uint64)2}"},
		{"struct without fields", struct{}{}, "(struct {}){}"},
		{"unexported and embedded and blank fields", derived{Base: Base{1, 2}},
			"(checksum_test.derived){Base:(checksum_test.Base){ID:(int)1 id:(int)2} hidden:(*checksum_test.hidden)<nil> _:(int16)0 Last:([]*int)<nil> Tail:([]int)<nil> At:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}"},
		{"unexported pointers", []any{node{prev: &node{}}, tree{up: new(*tree)}},
			"([]interface {})[(checksum_test.node){Value:(interface {})<nil> Next:(*checksum_test.node)<nil> prev:(*checksum_test.node){Value:(interface {})<nil> Next:(*checksum_test.node)<nil> prev:(*checksum_test.node)<nil>}} (checksum_test.tree){Kids:(map[string]*checksum_test.tree)<nil> Index:(map[string]checksum_test.tree)<nil> List:([]checksum_test.tree)<nil> up:(**checksum_test.tree)<nil>}]"},
		{"generic with import path", pair[string, table]{Key: "k", value: table{}},
			"(checksum_test.pair[string,github.com/kubeckpt/ckpt/checksum_test.table]){Key:(string)k value:(checksum_test.table){Total:(uint64)0 Free:(uint64)0}}"},

		{"elements have no type", []table{{1, 2}, {}}, "([]checksum_test.table)[{Total:(uint64)1 Free:(uint64)2} {Total:(uint64)0 Free:(uint64)0}]"},
		{"array", [2]kind{"a", "b c"}, "([2]checksum_test.kind)[a b c]"},
		{"nil and empty slice", [][]int{nil, {}}, "([][]int)[<nil> []]"},
		{"nil and empty map", []map[string]int{nil, {}}, "([]map[string]int)[<nil> map[]]"},
		{"bytes are decimals", []byte{1, 20, 255}, "([]uint8)[1 20 255]"},
		{"nil bytes", []byte(nil), "([]uint8)<nil>"},
		{"map", map[string][]int{"b": {1}, "a": nil}, "(map[string][]int)map[a:<nil> b:[1]]"},

		{"interface elements have types", []any{1, nil, "x", ptr(5), kind("k")},
			"([]interface {})[(int)1 (interface {})<nil> (string)x (*int)5 (checksum_test.kind)k]"},
		{"interface field", cells{Any: []any{}}, "(checksum_test.cells){Map:(map[checksum_test.kind]*checksum_test.table)<nil> Cells:([]int)<nil> Any:([]interface {})[]}"},
		{"named interface", struct{ E error }{}, "(struct { E error }){E:(error)<nil>}"},

		{"strings are raw", "a\"b\n\x00\xff:é", "(string)a\"b\n\x00\xff:é"},
		{"bool", []bool{true, false}, "([]bool)[true false]"},
		{"signed", []int8{-128, 127}, "([]int8)[-128 127]"},
		{"unsigned", []uint64{math.MaxUint64}, "([]uint64)[18446744073709551615]"},
		{"float64", []float64{0.1, 1e21, math.Copysign(0, -1), math.Inf(1), math.NaN()}, "([]float64)[0.1 1e+21 -0 +Inf NaN]"},
		{"float32", []float32{0.1}, "([]float32)[0.1]"},
		{"complex sign comes twice", []complex128{complex(1, math.Inf(1)), complex(1, math.Copysign(0, -1)), complex(math.NaN(), math.NaN()), 1 - 2i},
			"([]complex128)[(1++Infi) (1+-0i) (NaNNaNi) (1-2i)]"},
		{"complex64", complex64(0.1 + 0.2i), "(complex64)(0.1+0.2i)"},
		{"nil addresses", struct {
			F func()
			C chan int
			U unsafe.Pointer
			P uintptr
		}{}, "(struct { F func(); C chan int; U unsafe.Pointer; P uintptr }){F:(func())<nil> C:(chan int)<nil> U:(unsafe.Pointer)<nil> P:(uintptr)<nil>}"},

		{"pointer with type", &table{}, "(*checksum_test.table){Total:(uint64)0 Free:(uint64)0}"},
		{"pointer to pointer", ptr(ptr(5)), "(**int)5"},
		{"nil pointer", nilInt, "(*int)<nil>"},
		{"pointer to nil pointer", &nilInt, "(**int)<nil>"},
		{"pointer without type", []*int{nil, &five}, "([]*int)[<nil> <*>5]"},
		{"stars of an inner nil", []**int{&nilInt}, "([]**int)[<**><nil>]"},
		{"stars of the final type's text", []*map[*int]*kind{nil}, "([]*map[*int]*checksum_test.kind)[<nil>]"},
		{"pointer through an interface", &boxed, "(**int)5"},
		{"pointer to nil interface", ptr[any](nil), "(*interface {})<nil>"},

		{"circle", circle, "(*checksum_test.ring){Name:(string)a Next:(*checksum_test.ring){Name:(string)b Next:(*checksum_test.ring)<shown>}}"},
		{"shared and deeper", shared{Top: &five, Sub: struct{ Deep *int }{&five}},
			"(checksum_test.shared){Top:(*int)5 Sub:(struct { Deep *int }){Deep:(*int)<shown>}}"},
		{"shared side by side", []*int{&five, &five}, "([]*int)[<*>5 <*>5]"},
		{"forgotten after a pointer as high", twice{A: &five, B: struct{ Same *int }{&five}, C: ptr(6), D: struct{ Same *int }{&five}},
			"(checksum_test.twice){A:(*int)5 B:(struct { Same *int }){Same:(*int)<shown>} C:(*int)6 D:(struct { Same *int }){Same:(*int)5}}"},
		{"kept after a nil without type", struct {
			A *int
			B []*int
			C []*int
		}{&five, []*int{nil}, []*int{&five}},
			"(struct { A *int; B []*int; C []*int }){A:(*int)5 B:([]*int)[<nil>] C:[<*><shown>]}"},
		{"address of the first field", over,
			"(*checksum_test.overlap){First:(checksum_test.ring){Name:(string) Next:(*checksum_test.ring)<nil>} Self:(*checksum_test.overlap)<nil> Inner:(struct { P *checksum_test.ring }){P:(*checksum_test.ring)<shown>}}"},

		{"nil as last element swallows the next type", cells{Map: map[kind]*table{"memory": nil}},
			"(checksum_test.cells){Map:(map[checksum_test.kind]*checksum_test.table)map[memory:<nil>] Cells:<nil> Any:(interface {})<nil>}"},
		{"through closing brackets", struct {
			A [][]*int
			B int
			C int
		}{A: [][]*int{{nil}}}, "(struct { A [][]*int; B int; C int }){A:([][]*int)[[<nil>]] B:0 C:(int)0}"},
		{"through nil pointers", struct {
			A []*int
			B *int
			C int
		}{A: []*int{nil}}, "(struct { A []*int; B *int; C int }){A:([]*int)[<nil>] B:<nil> C:0}"},
		{"an interface brings it back", struct {
			A []*int
			B any
			C int
		}{A: []*int{nil}}, "(struct { A []*int; B interface {}; C int }){A:([]*int)[<nil>] B:(interface {})<nil> C:(int)0}"},

		{"int keys by number", map[int]bool{10: true, 2: true, -1: false}, "(map[int]bool)map[-1:false 2:true 10:true]"},
		{"uint keys by number", map[uint8]int{10: 0, 9: 0}, "(map[uint8]int)map[9:0 10:0]"},
		{"float keys by number", map[float32]int{10: 0, 9.5: 0, float32(math.Inf(-1)): 0}, "(map[float32]int)map[-Inf:0 9.5:0 10:0]"},
		{"bool keys", map[bool]int{true: 1, false: 0}, "(map[bool]int)map[false:0 true:1]"},
		{"string keys by byte", map[kind]int{"b": 1, "B": 2, "é": 3, "": 4}, "(map[checksum_test.kind]int)map[:4 B:2 b:1 é:3]"},
		{"array keys by element", map[[2]int]int{{10, 1}: 0, {9, 2}: 0, {9, 1}: 0}, "(map[[2]int]int)map[[9 1]:0 [9 2]:0 [10 1]:0]"},
		{"interface keys by text", map[any]int{10: 0, 9: 0, "x": 0, true: 0, nil: 0},
			"(map[interface {}]int)map[(bool)true:0 (int)10:0 (int)9:0 (interface {})<nil>:0 (string)x:0]"},
		{"struct keys by their String method", coordinates{{9, 1}: "nine", {10, 1}: "ten"},
			"(checksum_test.coordinates)map[{X:(int)10 Y:(int)1}:ten {X:(int)9 Y:(int)1}:nine]"},
		{"complex keys by text", map[complex64]int{10: 0, 9: 0}, "(map[complex64]int)map[(10+0i):0 (9+0i):0]"},
		{"one array key in an unexported field", struct{ m map[[1]any]int }{map[[1]any]int{{1}: 2}},
			"(struct { m map[[1]interface {}]int }){m:(map[[1]interface {}]int)map[[(int)1]:2]}"},

		{"methods are not called", []any{level(3), coord{1, 2}, time.Duration(5), &hidden{"n"}},
			"([]interface {})[(checksum_test.level)3 (checksum_test.coord){X:(int)1 Y:(int)2} (time.Duration)5 (*checksum_test.hidden){name:(string)n}]"},
		{"different values, one text", map[string]string{"a": "2 b:3"}, "(map[string]string)map[a:2 b:3]"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := dump.ForHash(c.v); got != c.want {
				t.Fatalf("dump.ForHash\n got %s\nwant %s", got, c.want)
			}
			if why := compare(t, c.v); why != "" {
				t.Fatalf("refused: %s", why)
			}
		})
	}
}

func TestAppendDump(t *testing.T) {
	got, err := checksum.AppendDump([]byte("x="), 5, nil)
	if err != nil || string(got) != "x=(int)5" {
		t.Errorf("got %q, %v", got, err)
	}
	got, err = checksum.AppendDump(got, []any{1, make(chan int)}, nil)
	if err == nil || string(got) != "x=(int)5" {
		t.Errorf("after an error: %q, %v", got, err)
	}
}
