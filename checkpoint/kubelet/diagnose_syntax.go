package kubelet

import (
	"strings"
	"unicode/utf8"
)

// oneSyntaxByte tries other bytes where the JSON breaks off.
func (d *diagnosis) oneSyntaxByte(whole func([]byte) (*kindTable, bool)) bool {
	const letters = `{}[],:"\0123456789abcdefghijklmnopqrstuvwxyz`
	const large = 4 << 20
	if d.v.Damage == nil || len(d.blob) > large || !utf8.Valid(d.blob) && len(d.blob) > large/4 {
		return false
	}
	at := int(d.v.Damage.Offset)
	var half *Explanation // that leaves the legacy half wrong
	var kind *kindTable
	try := func(a, b int, old string) bool {
		if a < 0 || b > len(d.blob) || d.stopped() {
			return false
		}
		k, all := whole(replaced(d.blob, a, b, old))
		if k == nil || !all && half != nil {
			return false
		}
		e := Explanation{Kind: KindByte, Old: old, New: string(d.blob[a:b]), Offset: int64(a), Length: int64(b - a)}
		e.Text = e.sentence()
		e = d.grade(e)
		if !all {
			half, kind = &e, k
			return false
		}
		d.k = k
		d.add(e)
		return true
	}
	found := func() bool {
		if half != nil {
			d.k = kind
			d.add(*half)
		}
		return half != nil
	}
	if d.lostQuote(at, try) {
		return true
	}
	// Of what ends too early, more is lost than a byte.
	if d.v.Damage.Reason == DamageTruncated {
		return found()
	}
	// A bracket of the wrong sort is noticed only later.
	if f, nodes, _ := d.bestScan(); f != nil {
		for i := len(nodes) - 1; i >= 0; i-- {
			n := nodes[i]
			if !n.whole && (n.kind == '{' && try(n.a, n.a+1, "[") || n.kind == '[' && try(n.a, n.a+1, "{")) {
				return true
			}
		}
	}
	for _, i := range []int{at, at - 1, at - 2, at + 1} {
		for n := range len(letters) {
			if try(i, i+1, letters[n:n+1]) || try(i, i, letters[n:n+1]) {
				return true
			}
		}
		if try(i, i+1, "") {
			return true
		}
	}
	for _, i := range []int{at, at - 1} {
		for c := byte(' '); i >= 0 && i < len(d.blob) && c < 0xff; c++ { // it may have been anything
			if strings.IndexByte(letters, c) < 0 && try(i, i+1, string([]byte{c})) {
				return true
			}
		}
	}
	return found()
}

// lostQuote looks in the string that ends just before the break, or goes on to
// the end, for the place where it ended before: a string whose closing quotation
// mark is gone goes on to the next one. In a document within a string, a
// quotation mark that lost its backslash ends the string too early.
func (d *diagnosis) lostQuote(at int, try func(a, b int, old string) bool) bool {
	const most = 2000 // places
	a, b := lastString(d.blob, at)
	if a < 0 {
		return false
	}
	if try(b-1, b, `\`) || try(b, b, `\`) {
		return true
	}
	follows := func(i int) bool { // what can stand behind a string
		return i < len(d.blob) && strings.IndexByte(",:}] \t\r\n", d.blob[i]) >= 0
	}
	for i := a; i < min(b, a+most); i++ {
		if follows(i+1) && try(i, i+1, `"`) || follows(i) && try(i, i, `"`) {
			return true
		}
	}
	return false
}

// lastString returns where the last string that begins before byte at begins and
// ends, without its quotes; -1 if there is none.
func lastString(blob []byte, at int) (a, b int) {
	a, b = -1, -1
	for i := 0; i < min(at, len(blob)); i++ {
		if blob[i] != '"' {
			continue
		}
		a = i + 1
		for i++; i < len(blob) && blob[i] != '"'; i++ {
			if blob[i] == '\\' {
				i++
			}
		}
		b = min(i, len(blob))
	}
	return a, b
}
