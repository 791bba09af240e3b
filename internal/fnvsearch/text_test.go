package fnvsearch

import (
	"hash/crc32"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"
)

func sumOf(alg Algorithm, text string) uint32 {
	if alg == CRC32 {
		return crc32.ChecksumIEEE([]byte(text))
	}
	h := fnv.New32a()
	h.Write([]byte(text))
	return h.Sum32()
}

func randomText(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

var algorithms = map[string]Algorithm{"fnv": FNV1a, "crc": CRC32}

// Every edit that is made must be found, and what is found must have the sum.
func TestOneEdit(t *testing.T) {
	for name, alg := range algorithms {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for range 200 {
				old := randomText(r, 1+r.IntN(200))
				sum := sumOf(alg, string(old))
				if !New(alg, old, sum).Fits() {
					t.Fatal("a text does not have its own sum")
				}
				i := r.IntN(len(old))

				changed := slices.Clone(old)
				changed[i] ^= byte(1 + r.IntN(255))
				if c, ok := New(alg, changed, sum).OneByte(i, i+1); !ok || c != old[i] {
					t.Fatalf("byte %d was %#x, found %#x, %v", i, old[i], c, ok)
				}
				if New(alg, changed, sum).Fits() {
					t.Fatal("a text with one byte changed has the old sum")
				}

				lost := slices.Delete(slices.Clone(old), i, i+1)
				if c, ok := New(alg, lost, sum).OneByte(i, i); !ok || c != old[i] {
					t.Fatalf("byte %d was %#x, found %#x, %v", i, old[i], c, ok)
				}

				j := i + r.IntN(len(old)-i) + 1
				put := string(randomText(r, r.IntN(9)))
				replaced := string(old[:i]) + put + string(old[j:])
				if !New(alg, []byte(replaced), sum).Replace(i, i+len(put), string(old[i:j])) {
					t.Fatal("what was replaced does not fit in its place")
				}
				added := string(old[:i]) + put + string(old[i:])
				if !New(alg, []byte(added), sum).Without(i, i+len(put)) {
					t.Fatal("without what was added the text does not have its sum")
				}
			}
		})
	}
}

// A jump must lead to where hashing leads, from any state.
func TestBetween(t *testing.T) {
	for name, alg := range algorithms {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			text := New(alg, randomText(r, 1000), r.Uint32())
			places := []int{0, 0, 1, 17, 400, 400, 999, 1000}
			text.Cut(places)
			for range 2000 {
				i := r.IntN(len(places))
				j := i + r.IntN(len(places)-i)
				a, b, h := places[i], places[j], r.Uint32()
				got, want := text.Between(a, b, h), text.Run(h, string(text.Bytes[a:b]))
				if got != want {
					t.Fatalf("%d to %d: state %#x, want %#x", a, b, got, want)
				}
				if back := text.Back(want, string(text.Bytes[a:b])); back != h {
					t.Fatalf("%d to %d: back to state %#x, want %#x", a, b, back, h)
				}
				x, okX := text.Track(a, h)
				y, okY := text.Track(b, want)
				z, _ := text.Track(b, want+1)
				if !okX || !okY || x != y || x == z {
					t.Fatalf("%d to %d: tracks %#x, %#x and, of another, %#x", a, b, x, y, z)
				}
			}
		})
	}
}

// How often a wrong sum is "explained" by one byte must be what chance gives.
func TestChance(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	hits, asked := 0, 0
	for range 30 {
		text := New(FNV1a, randomText(r, 100_000), r.Uint32())
		for i := range text.Bytes {
			asked++
			if _, ok := text.OneByte(i, i+1); ok {
				hits++
			}
		}
	}
	// 3,000,000 · 256 / 2³² = 0.18 are expected.
	if hits > 4 {
		t.Errorf("%d of %d places explain a random sum", hits, asked)
	}
}

func FuzzReplace(f *testing.F) {
	f.Add("policy=statix", 7, 13, "static")
	f.Add("", 0, 0, "x")
	f.Fuzz(func(t *testing.T, text string, a, b int, old string) {
		if a < 0 || b < a || b > len(text) {
			t.Skip()
		}
		for _, alg := range algorithms {
			sum := sumOf(alg, text[:a]+old+text[b:])
			if !New(alg, []byte(text), sum).Replace(a, b, old) {
				t.Errorf("algorithm %d: %q in place of %q does not give its own sum", alg, old, text[a:b])
			}
		}
	})
}

func BenchmarkAsk(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	text := New(FNV1a, randomText(r, 8<<10), r.Uint32())
	text.Cut([]int{100, 8000})
	hits := 0
	b.Run("hashed", func(b *testing.B) {
		for b.Loop() {
			if text.Ends(8000, text.Run(1, string(text.Bytes[100:8000]))) {
				hits++
			}
		}
	})
	b.Run("jumped", func(b *testing.B) {
		for b.Loop() {
			if text.Ends(8000, text.Between(100, 8000, 1)) {
				hits++
			}
		}
	})
}

// What was lost must be among what is found, and all that is found must fit.
func TestFill(t *testing.T) {
	const letters = "0123456789abcdef-"
	for name, alg := range algorithms {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(9, 10))
			for range 200 {
				n := 2 + r.IntN(New(alg, nil, 0).LongestFill()-1)
				lost := make([]byte, n)
				for i := range lost {
					lost[i] = letters[r.IntN(len(letters))]
				}
				before, after := string(randomText(r, r.IntN(50))), string(randomText(r, r.IntN(50)))
				text := New(alg, []byte(before+after), sumOf(alg, before+string(lost)+after))
				found := false
				text.Fill(text.At(len(before)), text.Needed(len(before)), n, letters, func(s string) {
					found = found || s == string(lost)
					if !text.Replace(len(before), len(before), s) {
						t.Fatalf("%q does not fit", s)
					}
				})
				if !found {
					t.Fatalf("%q was not found", lost)
				}
			}
		})
	}
}
