package checkpoint_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/migrate"
)

// The rule by which a reader chooses, against files with any payloads of any
// generation: the highest generation wins, and of several the newest known version.
func TestWhichVersionDecides(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	dir := fastDir(t)
	s := openState[claimsV3](t, dir, versions(3))
	documents := map[string]string{"v1": `{"claims":{"u":["%s"]}}`, "v2": `{"claims":{"u":{"%s":"node"}}}`,
		"v3": `{"claims":{"u":{"%s":{"pool":"node"}}}}`, "v4": `{"later":"%s"}`, "x1": `["%s"]`}
	seen := map[string]int{}
	for range 4000 {
		var list []checkpoint.SealedPayload
		for _, i := range r.Perm(5)[:1+r.IntN(5)] {
			version := []string{"v1", "v2", "v3", "v4", "x1"}[i]
			generation := uint64(1 + r.IntN(3))
			list = append(list, checkpoint.SealedPayload{Version: version, Generation: generation,
				JSON: fmt.Sprintf(documents[version], fmt.Sprint("gpu-", version, "-", generation)), Damaged: r.IntN(8) == 0})
		}
		// The rule once more, as one would say it.
		var top, topUnknown, intactUnknown uint64
		for _, p := range list {
			if p.Version == "v4" || p.Version == "x1" {
				topUnknown = max(topUnknown, p.Generation)
				if !p.Damaged {
					intactUnknown = max(intactUnknown, p.Generation)
				}
			} else {
				top = max(top, p.Generation)
			}
		}
		var want checkpoint.SealedPayload
		for _, version := range []string{"v1", "v2", "v3"} {
			for _, p := range list {
				if p.Version == version && p.Generation == top {
					want = p
				}
			}
		}
		older := false
		for _, p := range list {
			known := p.Version != "v4" && p.Version != "x1"
			older = older || known && p.Version > want.Version && p.Generation < top && !p.Damaged
		}

		blob, err := checkpoint.SealedFile(key, list)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, dir, blob)
		got, info, err := s.Load(background)
		switch {
		case topUnknown > top, want.Damaged && intactUnknown == top:
			seen["newer"]++
			var newer *migrate.NewerVersionError
			var unknown *migrate.UnknownVersionError
			if !errors.As(err, &newer) && !errors.As(err, &unknown) || errors.Is(err, checkpoint.ErrCorruptCheckpoint) {
				t.Fatalf("%s: %v", blob, err)
			}
		case want.Damaged:
			seen["damaged"]++
			wantReason(t, err, checkpoint.ReasonDigest)
		default:
			seen[want.Version]++
			if _, ok := got.Claims["u"][fmt.Sprint("gpu-", want.Version, "-", top)]; !ok || info.Version != want.Version || info.Generation != top || info.OlderWrote != older {
				t.Fatalf("%s: %v, %+v, %v", blob, got, info, err)
			}
		}
	}
	for _, what := range []string{"newer", "damaged", "v1", "v2", "v3"} {
		if seen[what] < 100 {
			t.Errorf("%s: %d times only", what, seen[what])
		}
	}
}
