package kubelet

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/internal/quantity"
)

// maxRespelled bounds the work of allocatedV1InMemory: quantities that it writes
// into a document, over all documents.
const maxRespelled = 20_000

// longestAmount is longer than any amount of something.
const longestAmount = 64

// allocatedV1InMemory yields the documents with quantities as a pod may have
// spelled them. A Quantity remembers how it was spelled until it is written:
// "0.5" and "500m" are the same amount in other fields, and so another hash.
func allocatedV1InMemory(doc any, yield func(any, string) bool) {
	d := doc.(*allocatedV1)
	spellings := map[string][]quantity.Quantity{} // as written → as it may have been
	quantities, nulls := 1, 0
	for _, containers := range d.AllocationEntries {
		for _, list := range containers {
			if list == nil {
				nulls = 1
			}
			for _, q := range list {
				quantities++
				text := q.String()
				if len(text) > longestAmount {
					return // nobody's, and slow to spell again and again
				}
				if spellings[text] == nil {
					spellings[text] = otherSpellings(q, text)
				}
			}
		}
	}
	texts := slices.Sorted(maps.Keys(spellings))
	choice := make([]int, len(texts))
	for range max(maxRespelled/quantities, 1) {
		for _, empties := range []bool{false, true}[:1+nulls] {
			c := *d
			c.AllocationEntries = respell(d.AllocationEntries, spellings, texts, choice, empties)
			if !yield(&c, whyInMemory(texts, choice)) {
				return
			}
			if len(d.ResizeStatusEntries) > 0 {
				continue
			}
			c.ResizeStatusEntries = nil
			if !yield(&c, whyInMemory(texts, choice)) {
				return
			}
		}
		i := 0
		for ; i < len(texts); i++ {
			if choice[i]++; choice[i] < len(spellings[texts[i]]) {
				break
			}
			choice[i] = 0
		}
		if i == len(texts) {
			return
		}
	}
}

func whyInMemory(texts []string, choice []int) string {
	for i, c := range choice {
		if c > 0 {
			return "a pod spelled the quantity " + texts[i] + " in another way (" + spelledAs(texts[i], c) +
				"), which was hashed as it was spelled but written as " + texts[i]
		}
	}
	return "an empty map was hashed as empty, but is read back as null"
}

// respell returns the entries with each quantity in the chosen spelling; if
// empties is set, with empty lists where there was none.
func respell(entries map[string]map[string]ResourceList, spellings map[string][]quantity.Quantity, texts []string, choice []int, empties bool) map[string]map[string]ResourceList {
	chosen := map[string]quantity.Quantity{}
	for i, text := range texts {
		chosen[text] = spellings[text][choice[i]]
	}
	out := make(map[string]map[string]ResourceList, len(entries))
	for pod, containers := range entries {
		out[pod] = make(map[string]ResourceList, len(containers))
		for name, list := range containers {
			var c ResourceList
			if list != nil || empties {
				c = ResourceList{}
			}
			for resource, q := range list {
				c[resource] = chosen[q.String()]
			}
			out[pod][name] = c
		}
	}
	return out
}

// otherSpellings returns q and the same amount as people write it.
func otherSpellings(q quantity.Quantity, text string) []quantity.Quantity {
	out := []quantity.Quantity{q}
	for i := 1; ; i++ {
		s := spelledAs(text, i)
		if s == "" {
			return out
		}
		var other quantity.Quantity
		if json.Unmarshal([]byte(`"`+s+`"`), &other) == nil && other.Equal(q) {
			out = append(out, other)
		} else {
			out = append(out, q)
		}
	}
}

// units are the suffixes of quantities, each with the next larger one.
var units = []struct{ small, large string }{
	{"n", "u"}, {"u", "m"}, {"m", ""}, {"", "k"}, {"k", "M"}, {"M", "G"}, {"G", "T"}, {"T", "P"},
	{"Ki", "Mi"}, {"Mi", "Gi"}, {"Gi", "Ti"}, {"Ti", "Pi"},
}

// spelledAs returns the i-th other way to write a canonical quantity: with a
// fraction of the next larger unit, or of the one after that.
func spelledAs(text string, i int) string {
	number := strings.TrimRight(text, "numkKMGTPEi")
	unit := text[len(number):]
	for _, u := range units {
		if u.small != unit || i < 1 {
			continue
		}
		n, ok := divided(number, strings.HasSuffix(u.large, "i"))
		switch {
		case !ok:
			return ""
		case i == 1:
			return n + u.large
		}
		return spelledAs(n+u.large, i-1)
	}
	return ""
}
