package kubelet

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// sumItself looks whether the stored sum is the right one but for a digit.
func (d *diagnosis) sumItself(claimed *format) {
	if d.oddSum(d.good); len(d.found) > 0 {
		return
	}
	for _, f := range d.k.formats {
		if d.s.decode(f).err != nil || len(f.writes) == 0 || claimed.claims != nil && f != claimed {
			continue
		}
		for i := range f.sums[0].spellings {
			if d.sumDigit(f, &f.sums[0], &f.sums[0].spellings[i]) {
				return
			}
		}
	}
}

func (d *diagnosis) sumDigit(f *format, sm *sum, sp *spelling) bool {
	stored := sm.stored(d.s.decode(f).doc)
	computed, ok := d.s.computed(f, sm, sp)
	if !ok || stored == 0 || stored == computed {
		return false
	}
	d.tried += 300
	now, old := strconv.FormatUint(stored, 10), strconv.FormatUint(computed, 10)
	because := "one digit is different"
	switch {
	case stored != computed && uint64(uint32(stored)) == computed:
		because = "the lower 32 bits are right"
	case oneEdit(now, old):
	case twoExchanged(now, old):
		because = "two digits are exchanged"
	default:
		return false
	}
	e := d.grade(Explanation{Kind: KindValue, Path: sm.field, Old: old, New: now,
		Evidence: []string{"the stored checksum is that of the content, but for this: " + because}})
	e.Offset, e.Length = d.locate(sm.field, false)
	e.Text = e.sentence()
	d.add(e)
	return true
}

// twoExchanged reports whether b is a with two characters exchanged.
func twoExchanged(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	var at []int
	for i := range len(a) {
		if a[i] != b[i] {
			at = append(at, i)
		}
	}
	return len(at) == 2 && a[at[0]] == b[at[1]] && a[at[1]] == b[at[0]]
}

// swappedSums looks whether each of two sums stands in the place of the other.
func (d *diagnosis) swappedSums(f *format) {
	if len(f.sums) < 2 {
		return
	}
	sh := sheetsOf(d.blob, f)
	x, y := sh.file.node(f.sums[1].field), sh.file.node(f.sums[0].field)
	if x == nil || y == nil {
		return
	}
	first, second := string(d.blob[x.a:x.b]), string(d.blob[y.a:y.b])
	d.tried++
	was := patched(d.blob, []patch{{x.a, x.b, second}, {y.a, y.b, first}})
	if was != nil && first != second && d.good(was) {
		d.explainAs(f, was, d.grade(Explanation{}).Confidence, "both checksums are right if exchanged", "")
	}
}

var anySum = regexp.MustCompile(`"((?:dataC|c|C)hecksum)"\s*:\s*("?[-+.0-9a-zA-Z]+"?)`)

// oddSum tries the number that a sum in an unusual spelling means: a string, a
// fraction, a power of ten, a negative or a hexadecimal number.
func (d *diagnosis) oddSum(whole func([]byte) bool) {
	for _, at := range anySum.FindAllSubmatchIndex(d.blob, -1) {
		if d.stopped() {
			return
		}
		a, b := at[4], at[5]
		now := string(d.blob[a:b])
		old := plainSum(strings.Trim(now, `"`))
		if old == "" || old == now {
			continue
		}
		d.tried++
		was := replaced(d.blob, a, b, old)
		if !whole(was) {
			continue
		}
		e := d.grade(Explanation{Kind: KindValue, Path: string(d.blob[at[2]:at[3]]), Old: old, New: now, Offset: int64(a), Length: int64(b - a),
			Evidence: []string{"written as kubelets write it, the checksum is right"}})
		e.was = &wholeFile{was}
		e.Text = e.sentence()
		d.add(e)
		return
	}
}

// plainSum is a number as kubelets write sums; "" if it is none.
func plainSum(s string) string {
	if n, err := strconv.ParseUint(s, 0, 32); err == nil {
		return strconv.FormatUint(n, 10)
	}
	n, err := strconv.ParseFloat(s, 64) // holds all of 32 bits
	if err != nil || n != math.Trunc(n) || math.Abs(n) >= 1<<32 {
		return ""
	}
	return strconv.FormatUint(uint64(uint32(int64(n))), 10)
}

// noSum says what can be said of a file that stores no checksum.
func (d *diagnosis) noSum() bool {
	if fields := map[string]json.RawMessage{}; json.Unmarshal(d.blob, &fields) != nil || len(fields) == 0 {
		return false
	}
	for _, c := range d.v.Checksums {
		if !c.Authoritative || c.Stored != 0 || c.Computed == 0 {
			continue
		}
		offset, length := d.locate(c.Field, false)
		now := ""
		if offset >= 0 {
			now = string(d.blob[offset : offset+length])
		}
		d.add(Explanation{Kind: KindValue, Path: c.Field, Old: strconv.FormatUint(c.Computed, 10), New: now, Confidence: Possible,
			Tried: d.tried, Offset: offset, Length: length,
			Text: "no checksum is stored that could say what the content was; that of the content as it is would be " + strconv.FormatUint(c.Computed, 10)})
		return true
	}
	return false
}
