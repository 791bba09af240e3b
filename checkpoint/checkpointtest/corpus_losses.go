package checkpointtest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/migrate"
)

// checkLosses writes doc in all older forms and compares what is reported to be
// lost. What is not reported must come back.
func (c Corpus[T]) checkLosses(golden string, doc *T) error {
	lost := []migrate.Lost{}
	var file []byte
	err := c.inDir(nil, func(dir string, s *checkpoint.State[T]) error {
		err := s.Update(context.Background(), func(d *T) error { *d = *doc; return nil })
		if err == nil {
			file, err = os.ReadFile(filepath.Join(dir, c.Key))
		}
		return err
	}, checkpoint.WithDualWrite(len(c.Versions)), checkpoint.WithObserver(func(e checkpoint.Event) {
		if e.Kind == checkpoint.Reduced {
			lost = append(lost, e.Lost...)
		}
	}))
	if err != nil {
		return fmt.Errorf("in all older forms: %w", err)
	}
	// Within a step the order may be that of a map.
	slices.SortStableFunc(lost, func(a, b migrate.Lost) int {
		if a.From != b.From || a.To != b.To {
			return 0
		}
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason))
	})
	errs := []error{c.compareJSON(golden, lost), c.checkSteps(doc)}
	if len(lost) == 0 {
		errs = append(errs, c.checkOldForm(file, doc))
	}
	return errors.Join(errs...)
}

// checkSteps takes doc down a step and up again, from each version.
func (c Corpus[T]) checkSteps(newest *T) error {
	chain, err := migrate.NewChain(c.Versions...)
	if err != nil {
		return err
	}
	var doc any = newest
	for i := len(c.Versions) - 1; i > 0; i-- {
		from, to := c.Versions[i].ID(), c.Versions[i-1].ID()
		down, lost, err := convert(chain, doc, from, to)
		if err != nil {
			return err
		}
		back, more, err := convert(chain, down, to, from)
		if err != nil {
			return err
		}
		if len(lost)+len(more) == 0 {
			if err := wantSame(doc, back); err != nil {
				return fmt.Errorf("from %s to %s and back something changes, and neither step reports a migrate.Loss: %w", from, to, err)
			}
		}
		doc = down
	}
	return nil
}

// convert converts a copy: a step may change what it is given.
func convert(chain *migrate.Chain, doc any, from, to string) (any, []migrate.Lost, error) {
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, nil, err
	}
	if doc, err = chain.Decode(from, text); err != nil {
		return nil, nil, err
	}
	return chain.Convert(doc, from, to)
}

// checkOldForm reads a file without its envelope, if there is something else in
// it: the form of checkpoint.WithLegacy, as an old program leaves it.
func (c Corpus[T]) checkOldForm(file []byte, doc *T) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(file, &members); err != nil {
		return err
	}
	delete(members, "ckpt")
	if len(members) == 0 {
		return nil
	}
	old, err := json.Marshal(members)
	if err != nil {
		return err
	}
	return c.inDir(old, func(_ string, s *checkpoint.State[T]) error {
		back, info, err := s.Load(context.Background())
		if err == nil && len(info.Lost) == 0 {
			err = wantSame(doc, back)
		}
		if err != nil {
			return fmt.Errorf("written in the kubelet package's form and read again, without a migrate.Loss: %w", err)
		}
		return nil
	})
}

// wantSame says where two documents differ. What is empty may be missing.
func wantSame(want, got any) error {
	var trees [2]any
	for i, doc := range []any{want, got} {
		text, err := json.Marshal(doc)
		if err == nil {
			err = json.Unmarshal(text, &trees[i])
		}
		if err != nil {
			return err
		}
	}
	return difference("", trees[0], trees[1])
}

func difference(path string, want, got any) error {
	if isEmpty(want) && isEmpty(got) || reflect.DeepEqual(want, got) {
		return nil
	}
	w, ok1 := want.(map[string]any)
	g, ok2 := got.(map[string]any)
	if ok1 && ok2 {
		both := maps.Clone(w)
		maps.Copy(both, g)
		for _, name := range slices.Sorted(maps.Keys(both)) {
			if err := difference(strings.TrimPrefix(path+"."+name, "."), w[name], g[name]); err != nil {
				return err
			}
		}
		return nil
	}
	was, _ := json.Marshal(want) // it has been JSON before
	is, _ := json.Marshal(got)
	return fmt.Errorf("%q was %s and becomes %s", path, was, is)
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}
