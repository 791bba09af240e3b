package kubelet

import (
	"reflect"
	"sync"

	"github.com/kubeckpt/ckpt/checksum"
	"github.com/kubeckpt/ckpt/internal/fastsum"
)

// fastRoad sums the files of one format as a kubelet writes them, without
// decoding. Everything in it follows from the row of the table.
type fastRoad struct {
	once sync.Once
	plan *fastsum.Plan // nil: there is no fast road
	// dumps: a sum is over the dump of a struct, not of a string.
	dumps bool
	// places says where the sum of a spelling is found.
	places map[*spelling]place
}

// place is one of the sums that a plan computes.
type place struct{ sum, head int }

// roads holds the fast road of each format.
var roads = sync.OnceValue(func() map[*format]*fastRoad {
	all := map[*format]*fastRoad{}
	for _, k := range tables {
		for _, f := range k.formats {
			all[f] = &fastRoad{}
		}
	}
	return all
})

// road returns f's fast road, compiled when it is first taken.
func (f *format) road() *fastRoad {
	r := roads()[f]
	r.once.Do(func() {
		doc, places := f.fastDocument()
		if plan, err := fastsum.Compile(doc); err == nil {
			r.plan, r.places = plan, places
			for _, s := range doc.Sums {
				r.dumps = r.dumps || s.Algorithm == fastsum.Dump
			}
		}
	})
	return r
}

// fastDocument says in fastsum's terms what f is. A spelling over something
// that is no part of the document, or over a text that is rewritten, has no
// place.
func (f *format) fastDocument() (fastsum.Document, map[*spelling]place) {
	doc := fastsum.Document{Fresh: f.fresh(), Names: f.names, Leaves: leaves, Transparent: transparent}
	if f.id.Kind == CPU {
		doc.Weigh, doc.MaxWeight = weighCPUs, maxCPUs
	}
	if f.inner != nil {
		doc.Inner = append([]reflect.Type{f.inner.typ}, f.inner.older...)
	}
	places := map[*spelling]place{}
	for i := range f.sums {
		s := fastsum.Sum{Field: f.sums[i].field}
		for j := range f.sums[i].spellings {
			sp := &f.sums[i].spellings[j]
			value, names := sp.value(doc.Fresh)
			t := reflect.TypeOf(value)
			switch {
			case t.Kind() == reflect.String:
				s.Member, s.Algorithm = f.inner.field, fastsum.Text
				if f.sums[i].algorithm == algCRC {
					s.Algorithm = fastsum.CRC
				}
			case sp.rewrite != nil || !partOf(f.docType(), t) || len(s.Heads) == fastsum.MaxHeads:
				continue
			default:
				s.Of = t
				if t.Kind() == reflect.Pointer {
					s.Of = t.Elem()
				}
				doc.Names = checksum.Merge(doc.Names, names)
				s.Heads = append(s.Heads, names.TypeString(t))
			}
			places[sp] = place{i, max(len(s.Heads)-1, 0)}
		}
		doc.Sums = append(doc.Sums, s)
	}
	return doc, places
}

// partOf reports whether part is whole, a struct embedded in it, or the type of
// one of its fields.
func partOf(whole, part reflect.Type) bool {
	if part.Kind() == reflect.Pointer {
		part = part.Elem()
	}
	if part == whole {
		return true
	}
	for i := range whole.NumField() {
		if whole.Field(i).Type == part {
			return true
		}
	}
	return false
}
