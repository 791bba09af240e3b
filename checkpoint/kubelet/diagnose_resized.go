package kubelet

import (
	"encoding/base64"

	"github.com/kubeckpt/ckpt/internal/fnvsearch"
)

// resized looks for up to four characters that were put into the base64 of an
// AllocResp, or for one that was lost from it, so that it does not decode. The
// rest of the file is read with nothing in its place.
func (d *diagnosis) resized(n node) {
	const long = 20_000
	raw := d.blob[n.a:n.b]
	if len(raw) > long || len(raw)%4 == 0 {
		return
	}
	s := newSession(replaced(d.blob, n.a, n.b, ""))
	f := s.identify(d.k).format
	if f == nil || s.decode(f).err != nil {
		return
	}
	sk, err := s.sketchOf(d.k.kind, f, &f.sums[0], &f.sums[0].spellings[0])
	if err != nil {
		return
	}
	for i := range sk.tokens {
		if t := &sk.tokens[i]; t.path == n.path {
			text := fnvsearch.New(fnvsearch.FNV1a, sk.text, uint32(f.sums[0].stored(s.decode(f).doc)))
			r := &resizedResponse{d: d, n: n, raw: raw, text: text}
			r.before = text.Run(text.At(t.a), "[")
			r.after = text.Back(text.Needed(t.b), "]")
			if !r.putIn() && len(raw)%4 == 3 {
				r.lost()
			}
			return
		}
	}
}

type resizedResponse struct {
	d             *diagnosis
	n             node
	raw           []byte
	text          *fnvsearch.Text
	before, after uint32 // states at the brackets
}

// numbers are the bytes of some base64 as a dump has them; first: nothing stands
// in front of them.
func numbers(chars []byte, first bool) (string, bool) {
	out, err := base64.StdEncoding.AppendDecode(nil, chars)
	if err != nil || len(out) == 0 {
		return "", false
	}
	text, _ := dumpedBytes(string(out))
	text = text[1 : len(text)-1]
	if !first {
		text = " " + text
	}
	return text, true
}

// putIn tries to leave out up to four characters.
func (r *resizedResponse) putIn() bool {
	for k := len(r.raw) % 4; k <= 4 && k < len(r.raw); k += 4 {
		for p := 0; p+k <= len(r.raw) && !r.d.stopped(); p++ {
			r.d.tried++
			text, ok := numbers(replaced(r.raw, p, p+k, ""), true)
			if ok && r.text.Run(r.before, text) == r.after {
				r.found(p, p+k, "")
				return true
			}
		}
	}
	return false
}

// lost tries each character in each place. What follows the four characters that
// it belongs to is the same for all in them.
func (r *resizedResponse) lost() {
	groups := (len(r.raw) + 1) / 4
	need := make([]uint32, groups+1)
	need[groups] = r.after
	known := groups // groups from here on decode
	for i := groups - 1; i > 0; i-- {
		text, ok := numbers(r.raw[4*i-1:4*i+3], false)
		if !ok {
			break
		}
		need[i] = r.text.Back(need[i+1], text)
		known = i
	}
	h := r.before
	for g := 0; g < groups && !r.d.stopped(); g++ {
		for place := 0; g+1 >= known && place < 4; place++ {
			for k := range base64Letters {
				r.d.tried++
				p := 4*g + place
				text, ok := numbers([]byte(string(r.raw[4*g:p])+base64Letters[k:k+1]+string(r.raw[p:4*g+3])), g == 0)
				if ok && r.text.Run(h, text) == need[g+1] {
					r.found(p, p, base64Letters[k:k+1])
					return
				}
			}
		}
		if 4*g+4 > len(r.raw) {
			return
		}
		text, ok := numbers(r.raw[4*g:4*g+4], g == 0)
		if !ok {
			return
		}
		h = r.text.Run(h, text)
	}
}

// found checks what was found in the file itself.
func (r *resizedResponse) found(a, b int, old string) {
	was := replaced(r.d.blob, r.n.a+a, r.n.a+b, old)
	if !r.d.good(was) {
		return
	}
	n := r.n
	n.a, n.b = n.a+a, n.a+b
	r.d.addInFile(KindByte, n, false, old, string(r.raw[a:b]), "this is no base64")
	r.d.found[len(r.d.found)-1].was = &wholeFile{was}
}
