package main

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// formatIDs are the ids of each kind's formats.
var formatIDs = func() map[string][]string {
	ids := map[string][]string{}
	for _, f := range kubelet.Formats() {
		ids[string(f.Kind)] = append(ids[string(f.Kind)], f.ID)
	}
	return ids
}()

// resum stores a sum that fits what the file now says, so that the checks
// behind the sum are reached. As which format and under which spelling is
// chosen by r; a file that does not decode stays as it is.
func resum(r *rand.Rand, f file) []byte {
	root, err := parse(f.Blob)
	if err != nil || root.kind != '{' {
		return f.Blob
	}
	format := "" // the one that the file is found to have
	if r.IntN(2) == 0 {
		format = pick(r, formatIDs[f.Kind])
	}
	return resumAs(r, f, root, format)
}

func resumAs(r *rand.Rand, f file, root *node, format string) []byte {
	// Raw JSON within a file is summed as it stands, so this is what to sum. A
	// file that is no UTF-8 was parsed as what a kubelet reads of it.
	f.Blob = root.bytes()
	texts, err := kubelet.Texts(f.Blob, format, kubelet.Options{Kind: kubelet.Kind(f.Kind)})
	if err != nil || len(texts) == 0 {
		return f.Blob
	}
	spellings := map[string][]kubelet.Text{}
	var order []string
	for _, t := range texts {
		if spellings[t.Field] == nil {
			order = append(order, t.Field)
		}
		spellings[t.Field] = append(spellings[t.Field], t)
	}
	for _, field := range order {
		t := spellings[field][0]
		if r.IntN(3) == 0 {
			t = pick(r, spellings[field])
		}
		sum := bare(strconv.FormatUint(t.Sum, 10))
		if r.IntN(40) == 0 {
			sum = bare(pick(r, []string{"0", "null", `"` + sum.text + `"`, sum.text + ".0", "1"}))
		}
		root.set(field, sum)
	}
	if r.IntN(60) == 0 {
		for i, m := range root.members {
			if strings.HasSuffix(strings.ToLower(m.key), "checksum") {
				place{root, i}.remove()
				break
			}
		}
	}
	if len(order) == 1 && root.field("dataChecksum") != nil && r.IntN(2) == 0 {
		// The older half is right now; let it be all there is.
		root.set("data", str(""))
		root.set("dataChecksum", bare("0"))
	}
	return root.bytes()
}
