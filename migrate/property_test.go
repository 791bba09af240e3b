package migrate_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/migrate"
)

// There and back again, from every version to every other: what comes back is
// what went, or the losses say at which claims it is not.
func TestThereAndBack(t *testing.T) {
	chain := sample(t)
	r := rand.New(rand.NewPCG(1, 2))
	identical, lossy := 0, 0
	for range 2000 {
		for _, from := range chain.Versions() {
			for _, to := range chain.Versions() {
				plain := r.IntN(2) == 0
				doc := random(r, from.ID(), plain)
				there, lostThere, err := chain.Convert(doc, from.ID(), to.ID())
				if err != nil {
					t.Fatal(err)
				}
				back, lostBack, err := chain.Convert(there, to.ID(), from.ID())
				if err != nil {
					t.Fatal(err)
				}
				lost := append(lostThere, lostBack...)
				if plain && len(lost) > 0 {
					t.Fatalf("%s to %s loses %v of a document that every version can say", from.ID(), to.ID(), lost)
				}
				if len(lost) == 0 {
					identical++
					if !reflect.DeepEqual(back, doc) {
						t.Fatalf("%s to %s and back: %+v became %+v without a loss", from.ID(), to.ID(), doc, back)
					}
					continue
				}
				lossy++
				if reflect.DeepEqual(back, doc) {
					t.Fatalf("%s to %s and back: losses %v of %+v, but nothing is lost", from.ID(), to.ID(), lost, doc)
				}
				sameElsewhere(t, doc, back, lost)
			}
		}
	}
	if identical < 1000 || lossy < 1000 {
		t.Errorf("%d identical and %d lossy trips, want a good number of each", identical, lossy)
	}
}

// sameElsewhere compares the claims that no loss names.
func sameElsewhere(t *testing.T, doc, back any, lost []migrate.Lost) {
	t.Helper()
	before, after := claimsOf(doc), claimsOf(back)
	for uid, want := range before {
		named := false
		for _, l := range lost {
			named = named || strings.HasPrefix(l.Path, "claims."+uid)
		}
		if got := after[uid]; !named && got != want {
			t.Fatalf("claim %s was %s and is %s, but the losses are %v", uid, want, got, lost)
		}
	}
}

func claimsOf(doc any) map[string]string {
	claims := map[string]string{}
	m := reflect.ValueOf(doc).Elem().Field(0)
	for _, key := range m.MapKeys() {
		claims[key.String()] = fmt.Sprint(m.MapIndex(key).Interface())
	}
	return claims
}

// Losses say in which step they arose, in the order of the steps.
func TestLossesAddUp(t *testing.T) {
	doc := &claimsV4{map[string]map[string]deviceV3{"u": {"gpu": {Pool: "rack", Share: "half"}}}}
	out, lost, err := sample(t).Convert(doc, "v4", "v1")
	if err != nil {
		t.Fatal(err)
	}
	if got := out.(*claimsV1).Claims["u"]; len(got) != 1 || got[0] != "gpu" {
		t.Errorf("converted to %q", got)
	}
	want := []string{"claims.u.gpu.share (v3 to v2): v2 has no shares", "claims.u[0].pool (v2 to v1): v1 knows one pool"}
	if len(lost) != 2 || lost[0].String() != want[0] || lost[1].String() != want[1] {
		t.Errorf("losses %q, want %q", lost, want)
	}
}
