package migrate_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/kubeckpt/ckpt/migrate"
)

// The sample is the claims of a driver. v1 has names of devices; v2 gives each a
// pool; v3 keys devices by name and adds shares; v4 renames a field.

type claimsV1 struct {
	Claims map[string][]string `json:"claims,omitempty"`
}

type claimsV2 struct {
	Claims map[string][]deviceV2 `json:"claims,omitempty"`
}

type deviceV2 struct {
	Pool string `json:"pool"`
	Name string `json:"name"`
}

type claimsV3 struct {
	Claims map[string]map[string]deviceV3 `json:"claims,omitempty"`
}

type deviceV3 struct {
	Pool  string `json:"pool"`
	Share string `json:"share,omitempty"`
}

type claimsV4 struct {
	Prepared map[string]map[string]deviceV3 `json:"prepared,omitempty"`
}

const thePool = "node"

func v1ToV2(d *claimsV1) (*claimsV2, []migrate.Loss, error) {
	out := &claimsV2{Claims: map[string][]deviceV2{}}
	for uid, names := range d.Claims {
		for _, name := range names {
			out.Claims[uid] = append(out.Claims[uid], deviceV2{thePool, name})
		}
	}
	return out, nil, nil
}

func v2ToV1(d *claimsV2) (*claimsV1, []migrate.Loss, error) {
	out := &claimsV1{Claims: map[string][]string{}}
	var lost []migrate.Loss
	for _, uid := range slices.Sorted(maps.Keys(d.Claims)) {
		for i, dev := range d.Claims[uid] {
			out.Claims[uid] = append(out.Claims[uid], dev.Name)
			if dev.Pool != thePool {
				lost = append(lost, migrate.Loss{Path: fmt.Sprintf("claims.%s[%d].pool", uid, i), Reason: "v1 knows one pool"})
			}
		}
	}
	return out, lost, nil
}

func v2ToV3(d *claimsV2) (*claimsV3, []migrate.Loss, error) {
	out := &claimsV3{Claims: map[string]map[string]deviceV3{}}
	var lost []migrate.Loss
	for _, uid := range slices.Sorted(maps.Keys(d.Claims)) {
		out.Claims[uid] = map[string]deviceV3{}
		for i, dev := range d.Claims[uid] {
			if _, twice := out.Claims[uid][dev.Name]; twice {
				lost = append(lost, migrate.Loss{Path: fmt.Sprintf("claims.%s[%d]", uid, i), Reason: "v3 has a device once"})
				continue
			}
			out.Claims[uid][dev.Name] = deviceV3{Pool: dev.Pool}
		}
	}
	return out, lost, nil
}

func v3ToV2(d *claimsV3) (*claimsV2, []migrate.Loss, error) {
	out := &claimsV2{Claims: map[string][]deviceV2{}}
	var lost []migrate.Loss
	for _, uid := range slices.Sorted(maps.Keys(d.Claims)) {
		for _, name := range slices.Sorted(maps.Keys(d.Claims[uid])) {
			dev := d.Claims[uid][name]
			out.Claims[uid] = append(out.Claims[uid], deviceV2{dev.Pool, name})
			if dev.Share != "" {
				lost = append(lost, migrate.Loss{Path: fmt.Sprintf("claims.%s.%s.share", uid, name), Reason: "v2 has no shares"})
			}
		}
	}
	return out, lost, nil
}

func v3ToV4(d *claimsV3) (*claimsV4, []migrate.Loss, error) {
	return &claimsV4{Prepared: d.Claims}, nil, nil
}

func v4ToV3(d *claimsV4) (*claimsV3, []migrate.Loss, error) {
	return &claimsV3{Claims: d.Prepared}, nil, nil
}

func sampleVersions() []migrate.Version {
	return []migrate.Version{
		migrate.First[claimsV1]("v1").Named(map[reflect.Type]string{reflect.TypeFor[claimsV1](): "main.Claims"}),
		migrate.Next("v2", v1ToV2, v2ToV1),
		migrate.Next("v3", v2ToV3, v3ToV2),
		migrate.Next("v4", v3ToV4, v4ToV3),
	}
}

func sample(t testing.TB) *migrate.Chain {
	t.Helper()
	c, err := migrate.NewChain(sampleVersions()...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// random returns a document of a version, and as often as not one that says only
// what every version can say.
func random(r *rand.Rand, id string, plain bool) any {
	v3 := map[string]map[string]deviceV3{}
	v2 := map[string][]deviceV2{}
	v1 := map[string][]string{}
	for i := range r.IntN(4) {
		uid := fmt.Sprintf("uid-%d", i)
		v3[uid] = map[string]deviceV3{}
		for j := range 1 + r.IntN(3) {
			name := fmt.Sprintf("gpu-%d", j)
			d := deviceV3{Pool: thePool}
			if !plain {
				d.Pool = []string{thePool, "rack"}[r.IntN(2)]
				d.Share = []string{"", "half"}[r.IntN(2)]
				if r.IntN(4) == 0 { // the same device twice
					v2[uid] = append(v2[uid], deviceV2{d.Pool, name})
					v1[uid] = append(v1[uid], name)
				}
			}
			v3[uid][name] = d
			v2[uid] = append(v2[uid], deviceV2{d.Pool, name})
			v1[uid] = append(v1[uid], name)
		}
	}
	switch id {
	case "v1":
		return &claimsV1{v1}
	case "v2":
		return &claimsV2{v2}
	case "v3":
		return &claimsV3{v3}
	}
	return &claimsV4{v3}
}
