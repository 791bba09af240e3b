package kubelet

import (
	"bytes"
	"encoding/json"
	"regexp"

	"github.com/kubeckpt/ckpt/checksum"
)

// withDataHalf returns a file in two halves as it was by its legacy half: with the
// data half that the stored sum is of, or with the sum of a data half that says
// the same as the legacy half. Nil if it is neither.
func withDataHalf(f *format, doc any) []byte {
	stored := f.sums[0].stored(doc)
	texts := dataOf(doc)
	for i, text := range texts {
		sum := uint64(checksum.OfString(text))
		// What only the data half holds, nothing else vouches for.
		same := i == len(texts)-1 && text == f.inner.text(doc)
		if sum == stored || same {
			return twoHalves(f, doc, text, sum)
		}
	}
	return nil
}

// twoHalves is a file with this data half, and the rest of doc.
func twoHalves(f *format, doc any, text string, sum uint64) []byte {
	var out any
	switch doc := doc.(type) {
	case *cpuV4:
		c := *doc
		c.Data = text
		out = &c
	case *memoryV3:
		c := *doc
		c.Data = text
		out = &c
	default:
		return nil
	}
	f.sums[0].set(out, sum)
	return marshalled(out)
}

func marshalled(doc any) []byte {
	b, err := json.Marshal(doc)
	if err != nil {
		return nil
	}
	return b
}

// withLegacyHalf returns a file in two halves with the legacy half that a kubelet
// writes beside its data half, and that half's sum.
func withLegacyHalf(f *format, doc any) (was []byte, sum uint64) {
	whole := byData(f, doc)
	if whole == nil {
		return nil, 0
	}
	return marshalled(whole), f.sums[1].stored(whole)
}

// byData returns doc with the legacy half that a kubelet writes beside its data
// half, under the sum of that; nil if it has no halves.
func byData(f *format, doc any) (whole any) {
	switch doc := doc.(type) {
	case *cpuV4:
		c := *doc
		c.cpuV2 = cpuV2{doc.inner.PolicyName, doc.inner.DefaultCPUSet, orMade(doc.inner.Entries), 0}
		whole = &c
	case *memoryV3:
		c := *doc
		c.memoryV1 = memoryV1{doc.inner.PolicyName, doc.inner.MachineState, orMade(doc.inner.Entries), 0}
		whole = &c
	default:
		return nil
	}
	n, err := f.sums[1].compute(&f.sums[1].spellings[0], whole)
	if err != nil {
		return nil
	}
	f.sums[1].set(whole, n)
	return whole
}

var (
	lastSum  = regexp.MustCompile(`"dataChecksum"\s*:\s*([0-9]{1,10})\s*}\s*$`)
	firstSum = regexp.MustCompile(`"checksum"\s*:\s*([0-9]{1,10})\s*,\s*"data"`)
)

// wholeFromParts returns what a file was that does not decode, if one half of it
// can be read and has a matching sum, and the sum of the other half says that it
// is the other half of the same state.
func wholeFromParts(blob []byte, f *format) (was []byte, because string) {
	legacy := f.legacy
	if m := lastSum.FindSubmatch(blob); m != nil {
		nodes, _ := scan(blob, f.docType(), "")
		for i := range nodes {
			_, end := nodes[i].extent()
			if nodes[i].path != legacy.sums[0].field || !nodes[i].whole {
				continue
			}
			first := append(bytes.Clone(blob[:end]), `,"dataChecksum":`+string(m[1])+`,"data":"{}"}`...)
			doc := f.fresh()
			if f.unmarshal(first, doc) != nil {
				continue
			}
			if sum, err := f.sums[1].compute(&f.sums[1].spellings[0], doc); err != nil || sum != f.sums[1].stored(doc) {
				continue
			}
			if was := withDataHalf(f, doc); was != nil {
				return was, "the legacy half, whose checksum is right, says so"
			}
		}
	}
	i := bytes.LastIndex(blob, []byte(`,"`+f.inner.field+`":"`))
	m := firstSum.FindSubmatch(blob)
	if i < 0 || m == nil {
		return nil, ""
	}
	doc := f.fresh()
	if f.unmarshal(append([]byte{'{'}, blob[i+1:]...), doc) != nil || f.sums[0].stored(doc) != uint64(checksum.OfString(f.inner.text(doc))) {
		return nil, ""
	}
	was, sum := withLegacyHalf(f, doc)
	if f.sums[1].set(doc, parsedSum(m[1])); f.sums[1].stored(doc) != sum {
		return nil, ""
	}
	return was, "the data half, whose checksum is right, says so"
}

func parsedSum(digits []byte) (n uint64) {
	for _, c := range digits {
		n = n*10 + uint64(c-'0')
	}
	return n
}
