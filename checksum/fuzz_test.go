package checksum_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"k8s.io/utils/dump"

	"github.com/kubeckpt/ckpt/checksum"
)

// compare holds Dump and Sum against the library whose text they promise. It
// reports the reason if Dump refuses the value.
func compare(t *testing.T, v any) checksum.Reason {
	t.Helper()
	got, err := checksum.Dump(v, nil)
	sum, sumErr := checksum.Sum(v, nil)
	if (err == nil) != (sumErr == nil) || err != nil && err.Error() != sumErr.Error() {
		t.Fatalf("%T: Dump says %v, Sum says %v", v, err, sumErr)
	}
	if err != nil {
		var unsound *checksum.UnsoundError
		if !errors.As(err, &unsound) || unsound.Path == "" || unsound.Type == "" {
			t.Fatalf("%T: error without facts: %v", v, err)
		}
		if unsound.Reason == checksum.UnexportedKeys && !strings.Contains(dump.ForHash(v), "%!v(PANIC=") {
			t.Fatalf("%T: %v, yet there is no panic in %q", v, err, dump.ForHash(v))
		}
		return unsound.Reason
	}
	if want := dump.ForHash(v); got != want {
		t.Fatalf("%T:\n got %q\nwant %q", v, got, want)
	}
	if want := checksum.New(v); sum != want {
		t.Fatalf("%T: sum %d, want %d of %q", v, sum, want, got)
	}
	return ""
}

func check(t *testing.T, bytes []byte) checksum.Reason {
	if why := compare(t, newGenerator(bytes, false).value()); why != "" {
		t.Fatalf("a sound value is refused: %s", why)
	}
	return compare(t, newGenerator(bytes, true).value())
}

func FuzzDump(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 64 {
		f.Add(randomBytes(r))
	}
	f.Fuzz(func(t *testing.T, bytes []byte) {
		if len(bytes) > 1<<12 {
			return
		}
		check(t, bytes)
	})
}

func randomBytes(r *rand.Rand) []byte {
	bytes := make([]byte, 16+r.IntN(600))
	for i := range bytes {
		bytes[i] = byte(r.Uint32())
	}
	return bytes
}

// TestRandomValues is the fuzz target with a fixed seed, so that an ordinary
// test run compares some thousand values, and meets most reasons that random
// values can have.
func TestRandomValues(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	met := map[checksum.Reason]int{}
	for range 3_000 {
		met[check(t, randomBytes(r))]++
	}
	t.Logf("compared, or refused by reason: %v", met)
	for _, why := range []checksum.Reason{
		"", checksum.SelfContaining, checksum.EndlessPointer, checksum.Address, checksum.NaNKey,
		checksum.PointerKey, checksum.UnexportedKeys,
	} {
		if met[why] == 0 {
			t.Errorf("no random value was refused as %q", why)
		}
	}
}
