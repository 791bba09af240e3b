package main

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// sample is one response with everything in it, as a device plugin would send it.
var sample = join(
	bytesField(1, entry("NVIDIA_VISIBLE_DEVICES", "GPU-0")),
	bytesField(1, entry("A", "é")),
	bytesField(2, join(text(1, "/usr/lib/nv"), text(2, "/opt/nv"), []byte{0x18, 1})),
	bytesField(3, join(text(1, "/dev/nvidia0"), text(2, "/dev/nvidia0"), text(3, "rw"))),
	bytesField(4, entry("k", "v")),
	bytesField(5, text(1, "vendor.com/gpu=gpu0")),
)

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func text(n protowire.Number, s string) []byte { return bytesField(n, []byte(s)) }

func entry(key, value string) []byte { return join(text(1, key), text(2, value)) }

func bytesField(n protowire.Number, b []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, n, protowire.BytesType), b)
}

func tag(v uint64) []byte { return protowire.AppendVarint(nil, v) }

// pieces are fields, whole and broken, to be put into any message.
func pieces() [][]byte {
	ff := bytes.Repeat([]byte{0xff}, 12)
	ps := [][]byte{
		{}, {0x80}, {0x80, 0x80}, ff[:9], ff[:10], ff[:11], join(ff[:9], []byte{1}), join(ff[:9], []byte{2}), join(ff[:9], []byte{0x7f}),
		join([]byte{0x8a}, bytes.Repeat([]byte{0x80}, 8), []byte{0, 1, 'x'}), // tag of field 1, in ten bytes
		join([]byte{0x8a}, bytes.Repeat([]byte{0x80}, 8), []byte{2, 1, 'x'}), // with a bit beyond the 64th
		join([]byte{0x8a}, bytes.Repeat([]byte{0x80}, 9), []byte{0, 1, 'x'}), // in eleven
		{0x0a, 0x80, 0x80, 0}, {0x0a, 0x81, 0x80, 0, 'x'}, {0x0a, 1, 0xff}, {0x12, 2, 0xc3, 0x28}, {0x0a, 3, 0xed, 0xa0, 0x80}, // not UTF-8
		{0x18, 0}, {0x18, 1}, {0x18, 2}, {0x18, 0x80, 0}, {0x18, 0x80, 1}, {0x18, 0x80}, join([]byte{0x18}, ff[:10]), join([]byte{0x18}, ff[:9], []byte{1}),
		join([]byte{0x18, 0x80}, bytes.Repeat([]byte{0x80}, 8), []byte{2}), // a bool of only the 65th bit
		{0x1b, 0x1c}, {0x1b, 0x24}, {0x1b}, {0x1c}, {0x0b, 0x0c}, {0x0b, 0x14}, {0x0b, 0x0b, 0x0c}, {0x0b, 0x0b, 0x0c, 0x0c}, {0x0b, 0x13, 0x0c, 0x14},
		{0x33, 0x08, 1, 0x34}, {0x33, 0x0a, 1, 'x', 0x34}, {0x33, 0x0d, 1, 2, 3, 4, 0x34}, {0x33, 0x09, 1, 2, 3, 4, 5, 6, 7, 8, 0x34},
		{0x33, 0x0d, 1, 2, 0x34}, {0x33, 0x0e, 0x34}, {0x33, 0, 0, 0x34}, {0x33, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 0x34}, {0x33, 0x0a, 9, 'x', 0x34},
		text(19000, "reserved"), text(1<<29-1, "x"),
	}
	for typ := range uint64(8) {
		for _, number := range []uint64{0, 1, 2, 3, 4, 5, 6, 15, 16, 1<<29 - 1, 1 << 29, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1<<32 + 2, 1<<61 - 1} {
			for _, value := range [][]byte{{}, {0}, {1, 'x'}, {3, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8}} {
				ps = append(ps, join(tag(number<<3|typ), value))
			}
			inGroup := join([]byte{0x33}, tag(number<<3|typ), []byte{0}, []byte{0x34})
			ps = append(ps, inGroup, join([]byte{0x33}, tag(number<<3|3), tag(number<<3|4), []byte{0x34}))
		}
	}
	for _, length := range []uint64{1 << 31, 1 << 32, 1<<32 + 1, 1<<63 - 1, 1<<63 - 2, 1<<63 - 8, 1<<63 - 20, 1<<63 - 60, 1 << 63, 1<<64 - 1} {
		for _, t := range []byte{0x0a, 0x12, 0x1a, 0x2a, 0x32, 0x7a} {
			ps = append(ps, join([]byte{t}, tag(length)), join([]byte{0x33, t}, tag(length)), join([]byte{0x33, t}, tag(length), []byte{0x34}))
		}
	}
	return ps
}

// vectors returns the same messages in every run.
func vectors() [][]byte {
	var vs [][]byte
	seen := map[string]bool{}
	add := func(b []byte) {
		if !seen[string(b)] {
			seen[string(b)] = true
			vs = append(vs, bytes.Clone(b))
		}
	}
	add(sample)
	for _, s := range fromPlugins {
		b, _ := base64.StdEncoding.DecodeString(s)
		add(b)
	}
	for n := range sample {
		add(sample[:n])
	}
	for i := range sample {
		for _, c := range []byte{1, 2, 4, 8, 0x80, sample[i]} {
			b := bytes.Clone(sample)
			b[i] ^= c
			add(b)
		}
	}
	for i, p := range pieces() {
		add(p)
		for n := range protowire.Number(5) {
			switch (i + int(n)) % 3 {
			case 0:
				add(bytesField(n+1, p))
			case 1:
				add(join(bytesField(n+1, join(text(1, "a"), p)), sample[:32]))
			case 2:
				add(join(bytesField(n+1, join(p, text(2, "b"))), text(9, "c")))
			}
		}
	}
	for _, deep := range []int{10000, 10001, 10002} {
		add(join(bytes.Repeat([]byte{0x33}, deep), bytes.Repeat([]byte{0x34}, deep)))
		add(bytesField(1, join(bytes.Repeat([]byte{0x33}, deep), bytes.Repeat([]byte{0x34}, deep))))
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		add(random(rnd))
	}
	for range 2500 {
		add(mutate(rnd, random(rnd)))
	}
	return vs
}

var odd = pieces()

// random makes a message, mostly one to accept.
func random(rnd *rand.Rand) []byte {
	words := []string{"", "a", "k", "/dev/x", "rw", "é", "日本", "\xff", "\xed\xa0\x80", "vendor.com/gpu=0", "GPU-0123456789"}
	if rnd.IntN(4) > 0 {
		words = words[:6]
	}
	b := []byte{}
	for range rnd.IntN(6) {
		number := protowire.Number(1 + rnd.IntN(6))
		var inner []byte
		for n := range protowire.Number(3) {
			switch k := rnd.IntN(40); {
			case k == 0:
				inner = append(inner, odd[rnd.IntN(len(odd))]...)
			case k > 10 && number == 2 && n == 2:
				inner = protowire.AppendVarint(protowire.AppendTag(inner, 3, protowire.VarintType), rnd.Uint64N(3))
			case k > 10:
				inner = append(inner, text(n+1, words[rnd.IntN(len(words))])...)
			}
		}
		b = append(b, bytesField(number, inner)...)
		if rnd.IntN(20) == 0 {
			b = append(b, odd[rnd.IntN(len(odd))]...)
		}
	}
	return b
}

func mutate(rnd *rand.Rand, b []byte) []byte {
	for range 1 + rnd.IntN(3) {
		i := rnd.IntN(len(b) + 1)
		switch rnd.IntN(4) {
		case 0:
			b = b[:i]
		case 1:
			b = slices.Insert(b, i, byte(rnd.IntN(256)))
		case 2:
			if i < len(b) {
				b = slices.Delete(b, i, i+1)
			}
		default:
			if i < len(b) {
				b[i] = byte(rnd.IntN(40))
			}
		}
	}
	return b
}
