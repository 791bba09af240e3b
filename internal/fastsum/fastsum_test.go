package fastsum

import (
	"encoding/base64"
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"strconv"
	"testing"

	"github.com/kubeckpt/ckpt/checksum"
)

// doc has every sort of place that a plan knows.
type doc struct {
	Name  string              `json:"name"`
	Nodes map[int]*node3      `json:"nodes"`
	Pods  map[string][]string `json:"pods,omitempty"`
	Raw   []byte              `json:"raw"`
	List  []inner             `json:"list"`
	Sum   checksum.Checksum   `json:"sum"`
	_     struct{}            // keeps plans from this type: see TestRefusesTypes
}

type whole struct {
	Name  string              `json:"name"`
	Nodes map[int]*node3      `json:"nodes"`
	Pods  map[string][]string `json:"pods,omitempty"`
	Raw   []byte              `json:"raw"`
	List  []inner             `json:"list"`
	Sum   checksum.Checksum   `json:"sum"`
}

type node3 struct {
	N     int64  `json:"n"`
	Size  uint64 `json:"size"`
	Cells []int  `json:"cells"`
}

type inner struct {
	A string `json:"a,omitempty"`
	B []bool `json:"-"`
}

func plan(t testing.TB, heads ...string) *Plan {
	p, err := Compile(Document{
		Fresh: &whole{Pods: map[string][]string{}},
		Sums:  []Sum{{Field: "sum", Of: reflect.TypeFor[whole](), Heads: heads}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestRun holds random documents against the dump, byte by byte and with
// tables, and under two heads.
func TestRun(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	p := plan(t, "*fastsum.whole", "*other.Name")
	renamed := checksum.Name[whole]("other.Name")
	var s Scanner
	for i := range 3000 {
		d := random(rnd)
		blob, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		if !s.Run(p, blob) {
			t.Fatalf("refused: %s", blob)
		}
		d.Sum = 0
		if len(d.Pods) == 0 {
			d.Pods = map[string][]string{}
		}
		a, errA := checksum.Sum(d, nil)
		b, errB := checksum.Sum(d, renamed)
		if got := s.Sums[0].Computed; errA != nil || errB != nil || got != [2]uint32{uint32(a), uint32(b)} {
			t.Fatalf("%d: %v, want %d and %d, for %s", i, got, a, b, blob)
		}
		if s.Sums[0].Stored != 42 || string(blob[s.Sums[0].At:s.Sums[0].End]) != "42" {
			t.Fatalf("stored: %+v", s.Sums[0])
		}
	}
	if p.full.Load() == nil {
		t.Error("the tables were never built")
	}
}

func random(rnd *rand.Rand) *whole {
	word := func() string { return strconv.FormatUint(rnd.Uint64()>>rnd.IntN(64), 36) }
	d := &whole{Name: word(), Sum: 42}
	if rnd.IntN(4) > 0 {
		d.Nodes = map[int]*node3{}
		for n := range rnd.IntN(5) {
			d.Nodes[n] = &node3{N: rnd.Int64N(1000) - 500, Size: rnd.Uint64() >> 10, Cells: []int{0, n}[:rnd.IntN(3)]}
		}
	}
	for range rnd.IntN(4) {
		if d.Pods == nil {
			d.Pods = map[string][]string{}
		}
		d.Pods[word()] = [][]string{nil, {}, {word()}, {word(), word()}}[rnd.IntN(4)]
	}
	if n := rnd.IntN(12); n > 0 {
		d.Raw, _ = base64.RawStdEncoding.DecodeString("")
		for range n - 1 {
			d.Raw = append(d.Raw, byte(rnd.IntN(256)))
		}
	}
	return d
}

// TestHandsOver: what is not canonical is refused, whatever it decodes to.
func TestHandsOver(t *testing.T) {
	const good = `{"name":"a","nodes":{"0":{"n":1,"size":2,"cells":[0]}},"raw":"AAE=","list":null,"sum":42}`
	p := plan(t, "*fastsum.whole")
	var s Scanner
	if !s.Run(p, []byte(good)) {
		t.Fatal("refused")
	}
	for _, bad := range []string{
		``, `{}`, `null`, good + "\n", " " + good, good[:len(good)-1],
		`{"name":"a\n","nodes":null,"raw":"","list":null,"sum":42}`,
		`{"name":"é","nodes":null,"raw":"","list":null,"sum":42}`,
		`{"Name":"a","nodes":null,"raw":"","list":null,"sum":42}`,
		`{"nodes":null,"name":"a","raw":"","list":null,"sum":42}`,
		`{"name":"a","nodes":{"1":null},"raw":"","list":null,"sum":42}`,
		`{"name":"a","nodes":{"1":{"n":1,"size":2,"cells":null},"0":{"n":1,"size":2,"cells":null}},"raw":"","list":null,"sum":42}`,
		`{"name":"a","nodes":{"0":{"n":-0,"size":2,"cells":null}},"raw":"","list":null,"sum":42}`,
		`{"name":"a","nodes":{"0":{"n":01,"size":2,"cells":null}},"raw":"","list":null,"sum":42}`,
		`{"name":"a","nodes":{"0":{"n":1,"size":-2,"cells":null}},"raw":"","list":null,"sum":42}`,
		`{"name":"a","nodes":{"0":{"n":1e1,"size":2,"cells":null}},"raw":"","list":null,"sum":42}`,
		`{"name":"a","nodes":{"0":{"n":1,"size":18446744073709551616,"cells":null}},"raw":"","list":null,"sum":42}`,
		`{"name":"a","nodes":null,"pods":{},"raw":"","list":null,"sum":42}`,
		`{"name":"a","nodes":null,"pods":{"a":null,"a":null},"raw":"","list":null,"sum":42}`,
		`{"name":"a","nodes":null,"raw":"AA","list":null,"sum":42}`,
		`{"name":"a","nodes":null,"raw":"AAF=","list":null,"sum":42}`,
		`{"name":"a","nodes":null,"raw":"A===","list":null,"sum":42}`,
		`{"name":"a","nodes":null,"raw":"","list":[{}],"sum":42}`,
		`{"name":"a","nodes":null,"raw":"","list":null,"sum":042}`,
		`{"name":"a","nodes":null,"raw":"","list":null,"sum":"42"}`,
		`{"name":"a","nodes":null,"raw":"","list":null,"sum":42,"more":1}`,
	} {
		if s.Run(p, []byte(bad)) {
			t.Errorf("taken: %s", bad)
		}
	}
}

func TestRefusesTypes(t *testing.T) {
	for _, fresh := range []any{doc{}, &doc{}, &struct{ Sum string }{}, new(int), &struct{}{}} {
		of := reflect.TypeOf(fresh)
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if _, err := Compile(Document{Fresh: fresh, Sums: []Sum{{Field: "sum", Of: of, Heads: []string{"x"}}}}); err == nil {
			t.Errorf("%T has a plan", fresh)
		}
	}
}

// TestFragments: one step through a table is as good as byte by byte.
func TestFragments(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for n := range 60 {
		text := make([]byte, n)
		for i := range text {
			text[i] = byte(rnd.IntN(256))
		}
		f := fragment{text: string(text)}
		f.build()
		for range 300 {
			h := sums{rnd.Uint32(), rnd.Uint32()}
			if got, want := f.add(h), h.text(f.text); got != want {
				t.Fatalf("%q after %v: %v, want %v", f.text, h, got, want)
			}
		}
	}
	h := fnv.New32a()
	h.Write([]byte("abc"))
	if got := fnv32("abc"); got != h.Sum32() {
		t.Errorf("sum %d, want %d", got, h.Sum32())
	}
	for c := range 256 {
		if decimal(byte(c)) != strconv.Itoa(c) {
			t.Errorf("%d is written %q", c, decimal(byte(c)))
		}
	}
}

func fnv32(s string) uint32 { return fnvText(basis, s) }
