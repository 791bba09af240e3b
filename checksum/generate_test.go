package checksum_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"time"
	"unsafe"
)

// A generator makes random values of random types out of a string of bytes,
// which the fuzzer varies. When the bytes run out every choice is 0.
//
// A wild one makes anything; a tame one only what has a sound dump, so that an
// error is a failure.
type generator struct {
	bytes []byte
	wild  bool
	reuse int // shared or circular pointers still to make
	made  map[place][]reflect.Value
}

// A place is where pointers may be shared: what one leads to may not be sound
// below an unexported field.
type place struct {
	typ        reflect.Type
	unexported bool
}

func newGenerator(bytes []byte, wild bool) *generator {
	return &generator{bytes: bytes, wild: wild, reuse: 4, made: map[place][]reflect.Value{}}
}

func (g *generator) n(limit int) int {
	if len(g.bytes) == 0 {
		return 0
	}
	b := g.bytes[0]
	g.bytes = g.bytes[1:]
	return int(b) % limit
}

func (g *generator) one(in int) bool { return len(g.bytes) > 0 && g.n(in) == 0 }

func pick[T any](g *generator, from []T) T { return from[g.n(len(from))] }

// value returns a random value, or nil.
func (g *generator) value() any {
	v := reflect.New(g.typ(4, false)).Elem()
	g.fill(v, 6, false)
	return v.Interface()
}

type (
	level  int
	coord  struct{ X, Y int }
	hidden struct{ name string }
	node   struct {
		Value any
		Next  *node
		prev  *node
	}
	tree struct {
		Kids  map[string]*tree
		Index map[string]tree
		List  []tree
		up    **tree
	}
	nest    []nest
	dict    map[string]dict
	chain   *chain
	Base    struct{ ID, id int }
	derived struct {
		Base
		*hidden
		_    int16
		Last []*int
		Tail []int
		At   time.Time
	}
	pair[K comparable, V any] struct {
		Key   K
		value V
	}
	bag[T any]  map[string]T
	signal      chan int
	empty       struct{}
	coordinates map[coord]string
)

func (l level) String() string  { return fmt.Sprintf("level %d", -int(l)) }
func (c coord) String() string  { return fmt.Sprintf("%d/%d", -c.X, c.Y) }
func (h *hidden) Error() string { return "never called" }

var (
	scalars = []reflect.Type{
		reflect.TypeFor[int](), reflect.TypeFor[string](), reflect.TypeFor[bool](), reflect.TypeFor[uint8](),
		reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
		reflect.TypeFor[uint](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
		reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[level](), reflect.TypeFor[time.Duration](),
	}
	named = []reflect.Type{
		reflect.TypeFor[node](), reflect.TypeFor[tree](), reflect.TypeFor[nest](), reflect.TypeFor[dict](),
		reflect.TypeFor[chain](), reflect.TypeFor[derived](), reflect.TypeFor[hidden](), reflect.TypeFor[coord](),
		reflect.TypeFor[pair[string, int]](), reflect.TypeFor[pair[level, *node]](), reflect.TypeFor[bag[[]byte]](),
		reflect.TypeFor[time.Time](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[[]byte](),
		reflect.TypeFor[netip.Addr](), reflect.TypeFor[big.Int](), reflect.TypeFor[url.URL](),
		reflect.TypeFor[complex64](), reflect.TypeFor[complex128](), reflect.TypeFor[uintptr](),
		reflect.TypeFor[signal](), reflect.TypeFor[func(int) string](), reflect.TypeFor[unsafe.Pointer](),
		reflect.TypeFor[empty](), reflect.TypeFor[error](), reflect.TypeFor[fmt.Stringer](),
	}
)

// typ returns a random type. Below an unexported field a tame generator makes no
// maps whose keys cannot be sorted there.
func (g *generator) typ(depth int, unexported bool) reflect.Type {
	if depth == 0 {
		return pick(g, scalars)
	}
	switch g.n(12) {
	case 0, 1:
		return pick(g, scalars)
	case 2, 3:
		return pick(g, named)
	case 4:
		return reflect.TypeFor[any]()
	case 5:
		return reflect.PointerTo(g.typ(depth-1, unexported))
	case 6:
		return reflect.SliceOf(g.typ(depth-1, unexported))
	case 7:
		return reflect.ArrayOf(g.n(4), g.typ(depth-1, unexported))
	case 8, 9:
		return reflect.MapOf(g.key(depth-1, unexported), g.typ(depth-1, unexported))
	}
	return g.structure(depth, unexported)
}

func (g *generator) structure(depth int, unexported bool) reflect.Type {
	fields := make([]reflect.StructField, g.n(5))
	for i := range fields {
		f := reflect.StructField{Name: fmt.Sprintf("F%d", i)}
		if g.n(4) == 0 {
			f.Name, f.PkgPath = fmt.Sprintf("f%d", i), "example.com/unexported"
		}
		f.Type = g.typ(depth-1, unexported || f.PkgPath != "")
		if i == 0 && f.PkgPath == "" && g.n(4) == 0 {
			f.Name, f.Type, f.Anonymous = "Base", reflect.TypeFor[Base](), true
		}
		fields[i] = f
	}
	return reflect.StructOf(fields)
}

func (g *generator) key(depth int, unexported bool) reflect.Type {
	kind := g.n(12)
	if unexported && !g.wild {
		kind = g.n(8)
	}
	switch kind {
	case 8:
		return reflect.TypeFor[any]()
	case 9:
		return reflect.TypeFor[complex128]()
	case 10:
		if g.wild && g.n(2) == 0 {
			return reflect.ArrayOf(g.n(3), g.key(depth, unexported))
		}
		return reflect.ArrayOf(1+g.n(2), pick(g, scalars))
	case 11:
		if g.wild && g.n(2) == 0 {
			return pick(g, []reflect.Type{reflect.TypeFor[*int](), reflect.TypeFor[fmt.Stringer](), reflect.TypeFor[signal](), reflect.TypeFor[uintptr]()})
		}
		return pick(g, []reflect.Type{reflect.TypeFor[coord](), reflect.TypeFor[pair[string, int]](), reflect.TypeFor[Base]()})
	case 1, 2, 3:
		return pick(g, scalars)
	}
	return reflect.TypeFor[string]()
}

// fill sets v, which must be settable, to a random value.
func (g *generator) fill(v reflect.Value, depth int, unexported bool) {
	t := v.Type()
	if t == reflect.TypeFor[time.Time]() && g.n(3) > 0 {
		v.Set(reflect.ValueOf(pick(g, []time.Time{time.Unix(1, 2).UTC(), time.Unix(3, 4).In(time.FixedZone("X", 60)), time.Now()})))
		return
	}
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(g.n(2) == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(pick(g, []int64{0, 1, -1, 7, math.MaxInt8, math.MinInt64, math.MaxInt64, 12}))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(pick(g, []uint64{0, 1, 255, 10, math.MaxUint64, 9}))
	case reflect.Uintptr:
		if g.wild {
			v.SetUint(uint64(g.n(2)))
		}
	case reflect.Float32, reflect.Float64:
		v.SetFloat(g.float())
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(g.float(), g.float()))
	case reflect.String:
		v.SetString(pick(g, []string{"", "a", "b", "memory", "922acc1f", "x:y z", "\x00\xff", "é\n", "(int)", "aa"}))
	case reflect.Interface:
		g.fillInterface(v, depth, unexported)
	case reflect.Pointer:
		g.fillPointer(v, depth, unexported)
	case reflect.Slice:
		if g.n(5) == 0 || depth == 0 {
			return
		}
		v.Set(reflect.MakeSlice(t, g.n(4), 4))
		if g.wild && t.Elem().Kind() == reflect.Interface && v.Len() > 0 && g.one(4) && t.AssignableTo(t.Elem()) {
			v.Index(0).Set(v)
			return
		}
		g.fillAll(v, depth, unexported)
	case reflect.Array:
		g.fillAll(v, depth, unexported)
	case reflect.Map:
		g.fillMap(v, depth, unexported)
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			f = reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
			g.fill(f, depth-1, unexported || !t.Field(i).IsExported())
			if depth <= 0 {
				break
			}
		}
	case reflect.Chan:
		if g.wild && g.one(4) {
			v.Set(reflect.MakeChan(reflect.ChanOf(reflect.BothDir, t.Elem()), 0).Convert(t))
		}
	}
}

func (g *generator) float() float64 {
	f := pick(g, []float64{0, 1, -1.5, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), 1e300, 0.1, 1e21, 3.0000001})
	if g.wild && g.one(8) {
		return math.NaN()
	}
	return f
}

func (g *generator) fillAll(v reflect.Value, depth int, unexported bool) {
	for i := range v.Len() {
		g.fill(v.Index(i), depth-1, unexported)
	}
}

func (g *generator) fillInterface(v reflect.Value, depth int, unexported bool) {
	if depth <= 0 || g.n(4) == 0 {
		return
	}
	switch v.Type() {
	case reflect.TypeFor[error]():
		v.Set(reflect.ValueOf(pick(g, []error{errors.New("x"), &hidden{}, (*hidden)(nil)})))
	case reflect.TypeFor[fmt.Stringer]():
		v.Set(reflect.ValueOf(pick(g, []fmt.Stringer{level(3), coord{}, &coord{}, (*level)(nil)})))
	default:
		inside := reflect.New(g.typ(min(depth, 2), unexported)).Elem()
		g.fill(inside, depth-1, unexported)
		v.Set(inside)
	}
}

func (g *generator) fillPointer(v reflect.Value, depth int, unexported bool) {
	elem := v.Type().Elem()
	if depth <= 0 || g.n(5) == 0 || elem.Size() == 0 && !g.wild {
		return
	}
	endless := elem.Kind() == reflect.Pointer || elem.Kind() == reflect.Interface
	here := place{v.Type(), unexported}
	if made := g.made[here]; len(made) > 0 && g.reuse > 0 && g.n(2) == 0 && (g.wild || !endless) {
		g.reuse--
		v.Set(pick(g, made))
		return
	}
	p := reflect.New(elem)
	v.Set(p.Convert(v.Type()))
	g.made[here] = append(g.made[here], v.Convert(v.Type()))
	g.fill(p.Elem(), depth-1, unexported)
}

func (g *generator) fillMap(v reflect.Value, depth int, unexported bool) {
	if g.n(5) == 0 || depth <= 0 {
		return
	}
	t := v.Type()
	v.Set(reflect.MakeMap(t))
	for range g.n(4) {
		key := reflect.New(t.Key()).Elem()
		if t.Key() == reflect.TypeFor[any]() && !g.wild {
			inside := reflect.New(pick(g, scalars)).Elem()
			g.fill(inside, 1, unexported)
			key.Set(inside)
		} else {
			g.fill(key, 3, unexported)
		}
		elem := reflect.New(t.Elem()).Elem()
		g.fill(elem, depth-1, unexported)
		put(v, key, elem)
	}
	if g.wild && t.Key().Kind() == reflect.String && t.AssignableTo(t.Elem()) && g.one(4) {
		v.SetMapIndex(reflect.ValueOf("self").Convert(t.Key()), v)
	}
}

// put leaves out keys that turn out not to be hashable.
func put(m, key, elem reflect.Value) {
	defer func() { _ = recover() }()
	m.SetMapIndex(key, elem)
}
