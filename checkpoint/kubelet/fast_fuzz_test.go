package kubelet

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/kubeckpt/ckpt/internal/fastsum"
)

var mutations = flag.Int("mutations", 20_000, "files that TestFastMutations makes")

// FuzzFast holds the fast road of every format against the decoder and the
// dump, and the Verifier against Judge.
func FuzzFast(f *testing.F) {
	for _, g := range goldens(f) {
		if b := g.read(f); len(b) < 4<<10 {
			f.Add(b)
		}
	}
	var s fastsum.Scanner
	var v Verifier
	f.Fuzz(func(t *testing.T, blob []byte) {
		for _, k := range tables {
			for _, format := range k.formats {
				compareRoads(t, &s, format, blob)
			}
			compareVerify(t, &v, k.kind, blob)
		}
	})
}

// TestFastMutations changes goldens a little, as disks, editors and merges do,
// and holds the two roads together. About a third of what it makes is taken.
func TestFastMutations(t *testing.T) {
	var small []golden
	var blobs [][]byte
	for _, g := range goldens(t) {
		if b := g.read(t); len(b) < 3<<10 {
			small, blobs = append(small, g), append(blobs, b)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	var s fastsum.Scanner
	var v Verifier
	taken, good := 0, 0
	for range *mutations {
		i := rnd.IntN(len(small))
		blob := mutate(rnd, blobs[i], blobs[rnd.IntN(len(blobs))])
		some := false
		for _, f := range tableOf(small[i].Kind).formats {
			if compareRoads(t, &s, f, blob) {
				some = true
			}
		}
		if some {
			taken++
			if compareVerify(t, &v, small[i].Kind, blob) {
				good++
			}
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("%d files, %d taken by the fast road, %d with matching sums", *mutations, taken, good)
	if taken < *mutations/10 {
		t.Errorf("only %d of %d files were taken", taken, *mutations)
	}
}

// mutate returns blob with one or two small changes. Most keep it JSON.
func mutate(rnd *rand.Rand, blob, other []byte) []byte {
	out := bytes.Clone(blob)
	for range 1 + rnd.IntN(2) {
		i := rnd.IntN(len(out))
		switch rnd.IntN(12) {
		case 0: // a bit
			out[i] ^= 1 << rnd.IntN(8)
		case 1: // any byte
			out[i] = byte(rnd.IntN(256))
		case 2: // a letter or digit for another
			if j := next(out, i, isWord); j >= 0 {
				out[j] = "0123456789abcdefAZ-"[rnd.IntN(19)]
			}
		case 3, 4: // a digit for another
			if j := next(out, i, isDigit); j >= 0 {
				out[j] = byte('0' + rnd.IntN(10))
			}
		case 5: // a digit more
			if j := next(out, i, isDigit); j >= 0 {
				out = append(out[:j], append([]byte{byte('0' + rnd.IntN(10))}, out[j:]...)...)
			}
		case 6: // a byte less
			out = append(out[:i], out[i+1:]...)
		case 7: // a piece twice
			j := min(i+1+rnd.IntN(40), len(out))
			out = append(out[:j], append(bytes.Clone(out[i:j]), out[j:]...)...)
		case 8: // a piece less
			out = append(out[:i], out[min(i+1+rnd.IntN(20), len(out)):]...)
		case 9: // a piece of another file
			j := rnd.IntN(len(other))
			piece := other[j:min(j+1+rnd.IntN(30), len(other))]
			out = append(out[:i], append(bytes.Clone(piece), out[min(i+len(piece), len(out)):]...)...)
		case 10: // what JSON has besides
			tokens := []string{" ", "\n", "null", `{}`, `[]`, `""`, "0", "-0", "-1", "1e3", "0.5", `\u0041`, `\\`, "é", "<", "=", `,"x":1`, "true"}
			token := tokens[rnd.IntN(len(tokens))]
			out = append(out[:i], append([]byte(token), out[i:]...)...)
		case 11: // a value for another
			if j := bytes.IndexByte(out[i:], ':'); j >= 0 {
				j += i + 1
				if end := bytes.IndexAny(out[j:], ",}]"); end >= 0 {
					values := []string{"null", "{}", "[]", `""`, "0", "7", `"x"`}
					out = append(out[:j], append([]byte(values[rnd.IntN(len(values))]), out[j+end:]...)...)
				}
			}
		}
		if len(out) == 0 {
			return out
		}
	}
	return out
}

func next(b []byte, from int, is func(byte) bool) int {
	for i := from; i < len(b); i++ {
		if is(b[i]) {
			return i
		}
	}
	return -1
}

func isDigit(c byte) bool { return c-'0' < 10 }

func isWord(c byte) bool { return isDigit(c) || c-'a' < 26 || c-'A' < 26 }
