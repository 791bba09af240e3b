package crashfs

import (
	"bytes"
	"io/fs"
)

// Outcomes says what may become of bytes that were written and not synced.
type Outcomes struct {
	// Block is the unit that a disk writes whole. The default is 16 bytes, which
	// keeps values of several blocks small.
	Block int
	// Whole leaves out mixtures: a file has the bytes it had at some moment.
	Whole bool
}

// content is one thing a file may hold after a crash.
type content struct {
	data []byte
	mode fs.FileMode
}

// contents lists what a file may hold: what it held at its last sync, after any
// write since, or a mixture.
func (o Outcomes) contents(synced *node, p *pending) []content {
	all := []content{{synced.data, synced.mode}}
	for i, v := range p.versions {
		all = append(all, content{v, p.modes[i]})
	}
	last := all[len(all)-1]
	if !o.Whole {
		for _, b := range o.mixtures(synced.data, last.data) {
			all = append(all, content{b, last.mode})
		}
	}
	return all
}

// allCombinations is how many blocks are combined in every way; of a file with
// more, every end and every single bad block is tried.
const allCombinations = 4

func (o Outcomes) mixtures(old, now []byte) [][]byte {
	block := o.Block
	if block == 0 {
		block = 16
	}
	n := (len(now) + block - 1) / block
	var all [][]byte
	for ends := 1; ends <= n; ends++ {
		end := min(ends*block, len(now))
		masks := []int{0, 1<<ends - 1}
		if ends <= allCombinations {
			masks = masks[:0]
			for mask := range 1 << ends {
				masks = append(masks, mask)
			}
		}
		for _, mask := range masks {
			b := make([]byte, end)
			copy(b, old)
			for i := range ends {
				if mask>>i&1 != 0 {
					copy(b[i*block:], now[i*block:min((i+1)*block, end)])
				}
			}
			all = append(all, b)
		}
	}
	for i := range n {
		all = append(all, o.badBlock(now, i*block, min((i+1)*block, len(now)))...)
	}
	return all
}

// badBlock gives the file with one block garbage, or cut: the file ends there,
// or zeros or garbage follow to the end of the block.
func (o Outcomes) badBlock(now []byte, from, to int) [][]byte {
	fill := func(from int, with byte) []byte {
		b := bytes.Clone(now)
		for i := from; i < to; i++ {
			b[i] = with
		}
		return b
	}
	all := [][]byte{fill(from, garbage)}
	for _, cut := range []int{from + 1, (from + to) / 2, to - 1} {
		if cut > from && cut < to {
			all = append(all, now[:cut], fill(cut, 0), fill(cut, garbage))
		}
	}
	return all
}

// garbage is no byte of any test's value.
const garbage = 0xdb
