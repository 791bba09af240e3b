package fastsum

import "sync"

// FNV-1a with 32 bits.
const (
	basis uint32 = 2166136261
	prime uint32 = 16777619
)

// sums are the FNV sums of two texts that differ in their beginning only, as
// under two names of a type. The second costs next to nothing: the processor
// computes it while it waits for the first.
type sums struct{ a, b uint32 }

func (h sums) byte(c byte) sums {
	return sums{(h.a ^ uint32(c)) * prime, (h.b ^ uint32(c)) * prime}
}

func (h sums) text(s string) sums {
	for i := range len(s) {
		h = h.byte(s[i])
	}
	return h
}

func fnvText(h uint32, s string) uint32 {
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * prime
	}
	return h
}

// fragment is a constant piece of the summed text.
type fragment struct {
	text  string
	power uint32       // prime to the length of text
	table *[256]uint32 // nil: not built
}

func (f *fragment) build() {
	f.power = 1
	for range len(f.text) {
		f.power *= prime
	}
	f.table = new([256]uint32)
	for low := range uint32(256) {
		f.table[low] = fnvText(low, f.text) - f.power*low
	}
}

func (f *fragment) add(h sums) sums {
	if t := f.table; t != nil {
		return sums{f.power*h.a + t[uint8(h.a)], f.power*h.b + t[uint8(h.b)]}
	}
	return h.text(f.text)
}

// byteTables are the fragments " 0" to " 255" of a dumped list of bytes. The low
// bits have a table of their own, which is all that the next step waits for.
type byteTables struct {
	low   [256][256]uint8
	rest  [256][256]uint32
	power [256]uint32
}

var builtByteTables = sync.OnceValue(func() *byteTables {
	t := new(byteTables)
	for c := range 256 {
		f := fragment{text: " " + decimal(byte(c))}
		f.power = 1
		for range len(f.text) {
			f.power *= prime
		}
		t.power[c] = f.power
		for l := range uint32(256) {
			h := fnvText(l, f.text)
			t.low[c][l] = uint8(h)
			t.rest[c][l] = h - f.power*l
		}
	}
	return t
})

// decimals holds the numbers from 0 to 255, three places each.
const decimals = "0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 " +
	"32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 " +
	"64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 " +
	"96 97 98 99 100101102103104105106107108109110111112113114115116117118119120121122123124125126127" +
	"128129130131132133134135136137138139140141142143144145146147148149150151152153154155156157158159" +
	"160161162163164165166167168169170171172173174175176177178179180181182183184185186187188189190191" +
	"192193194195196197198199200201202203204205206207208209210211212213214215216217218219220221222223" +
	"224225226227228229230231232233234235236237238239240241242243244245246247248249250251252253254255"

func decimal(c byte) string {
	n := 3
	if c < 10 {
		n = 1
	} else if c < 100 {
		n = 2
	}
	return decimals[3*int(c) : 3*int(c)+n]
}
