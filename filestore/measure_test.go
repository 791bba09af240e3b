package filestore_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/kubeckpt/ckpt/internal/crashfs"
)

// TestMeasure prints the figures of docs/durability.md, each with its control,
// measured in one run:
//
//	CKPT_MEASURE=1 go test -count=1 -timeout 3h -run TestMeasure -v ./filestore
//
// TestMeasure/ext4 and so on measure one of them. CKPT_CUTS and CKPT_KILLS set how many power cuts and kills; 1000 and 10000 make
// a long run. It fails like the tests do whose figures these are.
func TestMeasure(t *testing.T) {
	if os.Getenv("CKPT_MEASURE") == "" {
		t.Skip("CKPT_MEASURE is not set")
	}
	fmt.Println("| figure | measured | control: the kubelet's order |")
	fmt.Println("|---|---|---|")
	for _, f := range []struct {
		name    string
		measure func(measurement) (row, error)
	}{
		{"crashes", measureCrashes},
		{"mistakes", measureMistakes},
		{"writers", measureTwoWriters},
		{"recovery", measureRecovery},
		{"faults", measureFaults},
		{"ext4", measureCuts("ext4")},
		{"xfs", measureCuts("xfs")},
		{"blind", measureBlind},
		{"kills", measureKills},
		{"write", measurePut},
		{"read", measureRead},
	} {
		t.Run(f.name, func(t *testing.T) {
			start := time.Now()
			r, err := f.measure(measurement{t})
			if skip, ok := err.(skipError); ok {
				r.got = "not run: " + skip.Error()
			} else if err != nil {
				t.Error(err)
				r.got += fmt.Sprintf(" FAILED: %.200v", err)
			}
			fmt.Printf("| %s | %s (%v) | %s |\n", r.name, r.got, time.Since(start).Round(100*time.Millisecond), r.control)
		})
	}
}

type measurement struct{ testing.TB }

type row struct{ name, got, control string }

func violated(r crashfs.Report) error {
	if r.Violations == 0 {
		return nil
	}
	return fmt.Errorf("%d violations: %v", r.Violations, r.First)
}

func measureCrashes(measurement) (row, error) {
	r := row{name: "crash images, every point of every sequence of ≤ 3 operations"}
	all := append(named(), bounded()...)
	sum, err := exploreAll(all, ours, crashfs.AnySubset)
	if err != nil {
		return r, err
	}
	r.got = fmt.Sprintf("%d points, %d images, %d violations", sum.Points, sum.Images, sum.Violations)
	var lost, left crashfs.Report
	for _, w := range all {
		l, err := w.explore(kubelets, crashfs.AnySubset, anyLeftovers)
		if err != nil {
			return r, err
		}
		lost.Add(l)
		if l, err = w.explore(kubelets, crashfs.AnySubset, 1); err != nil {
			return r, err
		}
		left.Add(l)
	}
	r.control = fmt.Sprintf("%d images, %d lost or resurrected, %d with leftovers too", lost.Images, lost.Violations, left.Violations)
	return r, violated(sum)
}

func measureMistakes(measurement) (row, error) {
	found := 0
	for _, c := range mistakes {
		shown, err := c.m.shownBy()
		if err != nil {
			return row{}, err
		}
		if shown != "" {
			found++
		}
	}
	r := row{"mistakes in the protocol that are found", fmt.Sprintf("%d of %d", found, len(mistakes)), ""}
	if found != len(mistakes) {
		return r, fmt.Errorf("mistakes not found")
	}
	return r, nil
}

func measureTwoWriters(measurement) (row, error) {
	r := row{name: "two writers of one key, every order of their steps"}
	got, err := twoWriters(ours, 2, 1)
	if err != nil {
		return r, err
	}
	r.got = got.String()
	control, err := twoWriters(kubelets, anyLeftovers, 1)
	r.control = control.String()
	if err == nil {
		err = violated(got.Report)
	}
	return r, err
}

func measureRecovery(measurement) (row, error) {
	r := row{name: "recovery crashed at every point, and repeated"}
	var sum crashfs.Report
	for _, w := range named() {
		one, err := recoveries(w)
		if err != nil {
			return r, err
		}
		sum.Add(one)
	}
	r.got = fmt.Sprintf("%d images, %d violations", sum.Images, sum.Violations)
	return r, violated(sum)
}

func measureFaults(measurement) (row, error) {
	r := row{name: "faults: cells × {once, from then on}, pairs with clean-up, each call of each operation"}
	cellRuns, wrong := runCells()
	pairs, more := runPairs()
	wrong = append(wrong, more...)
	each, more := runEach()
	wrong = append(wrong, more...)
	r.got = fmt.Sprintf("%d × 2 = %d, %d pairs, %d calls; %d with the wrong outcome", len(cells()), cellRuns, pairs, each, len(wrong))
	if len(wrong) > 0 {
		return r, wrong[0]
	}
	return r, nil
}

func bad(v verdict) error {
	if v.Lost+v.Torn > 0 {
		return fmt.Errorf("%d lost, %d torn", v.Lost, v.Torn)
	}
	return nil
}

func (v verdict) String() string {
	return fmt.Sprintf("%d lost, %d torn, %d leftovers before Open", v.Lost, v.Torn, v.Leftovers)
}

func measureKills(m measurement) (row, error) {
	n := amount("CKPT_KILLS", 2000)
	r := row{name: "SIGKILL of a writer at random"}
	v, err := kills(fastDir(m), "ours", n)
	if err != nil {
		return r, err
	}
	r.got = fmt.Sprintf("%d kills: %v, 0 after", n, v)
	control, err := kills(fastDir(m), "kubelet", min(n, 200))
	r.control = fmt.Sprintf("%d kills: %v", min(n, 200), control)
	if err == nil {
		err = bad(v)
	}
	return r, err
}

func measurePut(m measurement) (row, error) {
	ours, control, err := priceOfPut(m.TempDir(), 100)
	return ratio("Write of 4 kB to this disk", ours, control), err
}

func measureRead(m measurement) (row, error) {
	ours, control, err := priceOfRead(m.TempDir(), 500, 4<<10)
	r := ratio("Read of 4 kB, against os.ReadFile", ours/100, control/100)
	return r, err
}

func ratio(name string, ours, control time.Duration) row {
	return row{name, fmt.Sprintf("%v, %.2f× the control", ours, float64(ours)/float64(control)), control.String()}
}
