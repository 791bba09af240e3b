package checksum_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"k8s.io/utils/dump"

	"github.com/kubeckpt/ckpt/checksum"
)

type (
	renamed     struct{ A int }
	renamed2    struct{ A int } // not renamed: only its name begins alike
	wrap[T any] struct{ V T }
)

func TestNames(t *testing.T) {
	names := checksum.Merge(
		checksum.Name[renamed]("state.Wrong"),
		checksum.Name[renamed]("state.T"),
		checksum.Name[wrap[int]]("sets.Set[string]"),
		checksum.Name[[]renamed]("no.Effect"),
		checksum.Name[wrap[*int]]("state.Stars"),
		checksum.Name[int32]("my.Int"),
	)
	for _, c := range []struct {
		v    any
		want string // "" for an error
	}{
		{renamed{}, "(state.T){A:(int)0}"},
		{&renamed{}, "(*state.T){A:(int)0}"},
		{(*renamed)(nil), "(*state.T)<nil>"},
		{[]renamed{{}}, "([]state.T)[{A:(int)0}]"},
		{[2]*renamed{}, "([2]*state.T)[<nil> <nil>]"},
		{map[string]*renamed{}, "(map[string]*state.T)map[]"},
		{map[string][][]map[int]**renamed{}, "(map[string][][]map[int]**state.T)map[]"},
		{map[renamed]int{{2}: 1, {1}: 2}, "(map[state.T]int)map[{A:(int)1}:2 {A:(int)2}:1]"},
		{[]any{renamed{}, 1}, "([]interface {})[(state.T){A:(int)0} (int)1]"},
		{map[any]int{3: 1}, "(map[interface {}]int)map[(int)3:1]"},
		{[]renamed2{}, "([]checksum_test.renamed2)[]"},
		{wrap[int]{}, "(sets.Set[string]){V:(int)0}"},
		{[]wrap[int]{}, "([]sets.Set[string])[]"},
		{wrap[renamed2]{}, "(checksum_test.wrap[github.com/kubeckpt/ckpt/checksum_test.renamed2]){V:(checksum_test.renamed2){A:(int)0}}"},
		{[]**renamed{new(*renamed)}, "([]**state.T)[<**><nil>]"},
		{[]**wrap[*int]{new(*wrap[*int])}, "([]**state.Stars)[<**><nil>]"},
		{[]int32{1}, "([]my.Int)[1]"},
		{wrap[uint32]{}, "(checksum_test.wrap[uint32]){V:(uint32)0}"},
		{(chan int)(nil), "(chan int)<nil>"},
		{struct{ F func(int) error }{}, "(struct { F func(int) error }){F:(func(int) error)<nil>}"},

		{wrap[renamed]{}, ""},
		{wrap[int32]{}, ""},
		{wrap[map[string]*renamed]{}, ""},
		{[]wrap[wrap[renamed]]{}, ""},
		{(chan renamed)(nil), ""},
		{(func(renamed))(nil), ""},
		{(func() []renamed)(nil), ""},
		{struct{ R []renamed }{}, ""},
		{struct {
			I interface{ M(map[int]renamed) }
		}{}, ""},
		{map[any]int{renamed{}: 1}, ""},
	} {
		got, err := checksum.Dump(c.v, names)
		switch {
		case c.want == "" && (err == nil || !strings.Contains(err.Error(), "mentions a renamed type")):
			t.Errorf("%T: %q, %v", c.v, got, err)
		case c.want != "" && (err != nil || got != c.want):
			t.Errorf("%T:\n got %q, %v\nwant %q", c.v, got, err, c.want)
		}
	}
	if got := names.TypeString(reflect.TypeFor[map[string]chan renamed]()); got != "map[string]chan checksum_test.renamed" {
		t.Errorf("TypeString = %q", got)
	}
	if got := names.TypeString(reflect.TypeFor[map[string]*renamed]()); got != "map[string]*state.T" {
		t.Errorf("TypeString = %q", got)
	}
	if got := checksum.Names(nil).TypeString(reflect.TypeFor[renamed]()); got != "checksum_test.renamed" {
		t.Errorf("TypeString of no names = %q", got)
	}
}

// TestRandomNames renames types in random values. Since the names occur in the
// text as types only, replacing them there gives the text to expect.
func TestRandomNames(t *testing.T) {
	names := checksum.Merge(
		checksum.Name[node]("other.NODE"), checksum.Name[tree]("other.TREE"), checksum.Name[level]("x.L"),
		checksum.Name[coord]("y.C"), checksum.Name[nest]("z.Nest"), checksum.Name[bag[[]byte]]("sets.Bag"),
	)
	replace := strings.NewReplacer("checksum_test.node", "other.NODE", "checksum_test.tree", "other.TREE",
		"checksum_test.level", "x.L", "checksum_test.coord", "y.C", "checksum_test.nest", "z.Nest",
		"checksum_test.bag[[]uint8]", "sets.Bag")
	r := rand.New(rand.NewPCG(5, 6))
	changed, refused := 0, 0
	for range 2_000 {
		v := newGenerator(randomBytes(r), false).value()
		got, err := checksum.Dump(v, names)
		if err != nil {
			if !strings.Contains(err.Error(), "mentions a renamed type") {
				t.Fatal(err)
			}
			refused++
			continue
		}
		before := dump.ForHash(v)
		want := replace.Replace(before)
		if got != want {
			t.Fatalf("%T:\n got %q\nwant %q", v, got, want)
		}
		if want != before {
			changed++
		}
	}
	t.Logf("%d texts changed, %d values refused", changed, refused)
	if changed < 100 || refused < 10 {
		t.Error("too few to mean anything")
	}
}
