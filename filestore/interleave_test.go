package filestore_test

import (
	"fmt"
	"testing"

	"github.com/kubeckpt/ckpt/internal/crashfs"
)

// interleaved is what exploring two writers came to.
type interleaved struct {
	crashfs.Report
	Orders int
}

// twoWriters lets two processes overwrite the same key, and crashes every order
// of their steps at every point. Of the orders only every nth is taken.
func twoWriters(open opener, writers, nth int) (interleaved, error) {
	w := workload{before: state{"k": "old"}}
	start, err := w.run(ours)
	if err != nil {
		return interleaved{}, err
	}
	var traces [2][]crashfs.Op
	for i, value := range []string{"from a", "from b"} {
		fs := start.Fork(1000 * (i + 1))
		st, err := open(fs)
		if err != nil {
			return interleaved{}, err
		}
		fs.Checkpoint() // the steps of Open are explored elsewhere
		if err := st.Write("k", []byte(value)); err != nil {
			return interleaved{}, err
		}
		fs.Mark(value)
		traces[i] = fs.Trace()
	}
	var sum interleaved
	known := memory{}
	skip := 0
	for merged := range crashfs.Interleave(traces[0], traces[1]) {
		if skip--; skip >= 0 {
			continue
		}
		skip = nth - 1
		sum.Orders++
		sum.Add(crashfs.Explore(start.WithTrace(merged), crashfs.AnySubset, crashfs.Outcomes{}, orderInvariant(merged, writers, known)))
	}
	return sum, nil
}

// orderInvariant allows what was renamed last among the acknowledged, or anything
// that was renamed later.
func orderInvariant(merged []crashfs.Op, writers int, known memory) func(crashfs.Image) error {
	renamed := []string{"old"}
	values := map[int]string{}
	for _, op := range merged {
		switch op.Kind {
		case crashfs.Write:
			values[op.Ino] = string(op.Data)
		case crashfs.Rename:
			renamed = append(renamed, values[op.Ino])
		}
	}
	return func(img crashfs.Image) error {
		from := 0
		for _, a := range img.Acked {
			for i, v := range renamed {
				if v == a {
					from = max(from, i)
				}
			}
		}
		var allowed []state
		for _, v := range renamed[from:] {
			allowed = append(allowed, state{"k": v})
		}
		got, err := known.reopened(img.FS, writers)
		if err == nil && !got.among(allowed) {
			err = fmt.Errorf("I1–I4: store holds %q, want one of %q", got, allowed)
		}
		return err
	}
}

// memory has what the store made of an image. The same images come up in many
// orders, and what is on a disk decides what is made of it; what is allowed is
// looked at each time.
type memory map[string]struct {
	got state
	err error
}

func (m memory) reopened(fs *crashfs.FS, writers int) (state, error) {
	key := fs.String()
	r, ok := m[key]
	if !ok {
		r.got, r.err = reopened(fs, writers)
		m[key] = r
	}
	return r.got, r.err
}

// Here one order in 55; TestMeasure takes all 12,870.
func TestTwoWriters(t *testing.T) {
	sequential(t)
	got, err := twoWriters(ours, 2, 55)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d orders, %d points, %d images", got.Orders, got.Points, got.Images)
	if got.Violations != 0 {
		t.Errorf("%d violations: %v", got.Violations, got.First)
	}
	control, err := twoWriters(kubelets, anyLeftovers, 55)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the kubelet's order: %d orders, %d images, %d violations", control.Orders, control.Images, control.Violations)
	if control.Violations == 0 {
		t.Error("the control shows no violation")
	}
}

func (r interleaved) String() string {
	return fmt.Sprintf("%d orders, %d images, %d violations", r.Orders, r.Images, r.Violations)
}
