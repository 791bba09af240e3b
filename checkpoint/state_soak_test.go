package checkpoint_test

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/testchild"
)

// Many goroutines of several processes update one key, and processes are killed.
// CKPT_SOAK sets for how long: go test -run Soak -v ./checkpoint with CKPT_SOAK=30s.
const (
	soakVariable = "CKPT_SOAK"
	soakRole     = "CKPT_TEST_SOAK_CHILD" // the test binary is one of the processes
	soakSlots    = 4                      // processes
	soakWorkers  = 64                     // goroutines of each
)

// tallies is the state: each update adds one to the tally of its worker and one to
// the sum of all, which is then the generation.
type tallies struct {
	Sum     uint64
	Workers map[string]uint64
}

func (d *tallies) check(generation uint64) error {
	sum := uint64(0)
	for n := range maps.Values(d.Workers) {
		sum += n
	}
	if sum != d.Sum || sum != generation {
		return fmt.Errorf("the workers have %d, the sum is %d, the generation %d", sum, d.Sum, generation)
	}
	return nil
}

func openTallies(dir string) (*checkpoint.State[tallies], error) {
	return checkpoint.Open[tallies](dir, key, checkpoint.WithStore(filestore.WithLockTimeout(time.Minute)),
		checkpoint.WithEmpty(func() *tallies { return &tallies{Workers: map[string]uint64{}} }))
}

func TestMain(m *testing.M) {
	if values, ok := testchild.Values(soakRole); ok {
		fmt.Fprintln(os.Stderr, soak(values[0], values[1]))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// soak updates until it is killed, and prints what was acknowledged.
func soak(dir, slot string) error {
	s, err := openTallies(dir)
	if err != nil {
		return err
	}
	failed := make(chan error)
	for i := range soakWorkers {
		worker := fmt.Sprintf("%s.%d", slot, i)
		go func() {
			for {
				var mine, sum uint64
				err := s.Update(background, func(d *tallies) error {
					d.Sum++
					d.Workers[worker]++
					mine, sum = d.Workers[worker], d.Sum
					return nil
				})
				if err != nil {
					failed <- err
					return
				}
				// One write, so that a line is whole however the process ends.
				fmt.Fprintf(os.Stdout, "%s %d %d\n", worker, mine, sum)
			}
		}()
	}
	return <-failed
}

// ledger is what the processes have acknowledged.
type ledger struct {
	mu    sync.Mutex
	last  map[string]uint64 // worker → its tally
	by    map[string]uint64 // worker → the how manieth process of its slot acknowledged that
	sums  map[uint64]bool
	kills map[string]uint64 // slot → processes
	errs  []error
}

func (l *ledger) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.errs = append(l.errs, err)
}

// enter notes an acknowledgement of the nth process of a slot. The tally of a
// worker goes up by one; for each process that was killed since its last it may
// have gone up by one more, which was written and not acknowledged.
func (l *ledger) enter(line string, nth uint64) error {
	f := strings.Fields(line)
	if len(f) != 3 {
		return fmt.Errorf("acknowledged %q", line)
	}
	mine, err1 := strconv.ParseUint(f[1], 10, 64)
	sum, err2 := strconv.ParseUint(f[2], 10, 64)
	l.mu.Lock()
	defer l.mu.Unlock()
	step := mine - l.last[f[0]]
	if err1 != nil || err2 != nil || step < 1 || step > 1+nth-l.by[f[0]] || l.sums[sum] {
		return fmt.Errorf("acknowledged %q after %d; twice: %t", line, l.last[f[0]], l.sums[sum])
	}
	l.last[f[0]], l.sums[sum], l.by[f[0]] = mine, true, nth
	return nil
}

// run has one process after the other in a slot, each killed after a while.
func (l *ledger) run(dir, slot string, until time.Time) {
	for nth := uint64(0); time.Now().Before(until); nth++ {
		cmd, err := testchild.Command(soakRole, dir, slot)
		if err != nil {
			l.fail(err)
			return
		}
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			l.fail(err)
			return
		}
		// Its life begins with its first update: how long a process takes to start
		// is no matter of ours.
		hung := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
		begun := false
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if !begun {
				begun = true
				life := min(time.Duration(rand.IntN(700))*time.Millisecond, max(time.Until(until), 0))
				time.AfterFunc(life, func() { _ = cmd.Process.Kill() })
			}
			if err := l.enter(lines.Text(), nth); err != nil {
				l.fail(err)
			}
		}
		hung.Stop()
		if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != -1 || !begun {
			l.fail(fmt.Errorf("a process did nothing, or was not killed: %w: %s", err, &stderr))
			return
		}
		l.mu.Lock()
		l.kills[slot]++
		l.mu.Unlock()
	}
}

// watch reads all the time. What it sees is whole, and its generation never falls.
func (l *ledger) watch(s *checkpoint.State[tallies], until time.Time) (reads int) {
	top := uint64(0)
	for ; time.Now().Before(until); reads++ {
		d, info, err := s.Load(background)
		switch {
		case errors.Is(err, checkpoint.ErrCheckpointNotFound) && top == 0:
		case err != nil:
			l.fail(err)
			return reads
		default:
			if err := d.check(info.Generation); err != nil || info.Generation < top {
				l.fail(fmt.Errorf("read generation %d after %d: %w", info.Generation, top, err))
				return reads
			}
			top = info.Generation
		}
	}
	return reads
}

func TestSoak(t *testing.T) {
	length := 3 * time.Second
	if text := os.Getenv(soakVariable); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	} else if testing.Short() {
		length = time.Second
	}
	dir := fastDir(t)
	s, err := openTallies(dir)
	if err != nil {
		t.Fatal(err)
	}
	until := time.Now().Add(length)
	l := &ledger{last: map[string]uint64{}, by: map[string]uint64{}, sums: map[uint64]bool{}, kills: map[string]uint64{}}
	var wg sync.WaitGroup
	for slot := range soakSlots {
		wg.Go(func() { l.run(dir, strconv.Itoa(slot), until) })
	}
	reads := l.watch(s, until)
	wg.Wait()
	for _, err := range l.errs[:min(len(l.errs), 5)] {
		t.Error(err)
	}
	d, info, err := s.Load(background)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.check(info.Generation); err != nil {
		t.Error(err)
	}
	for worker, acknowledged := range l.last {
		slot, _, _ := strings.Cut(worker, ".")
		if n := d.Workers[worker]; n < acknowledged || n > acknowledged+l.kills[slot]-l.by[worker] {
			t.Errorf("worker %s has %d, %d were acknowledged", worker, n, acknowledged)
		}
	}
	if len(l.sums) == 0 || len(l.kills) == 0 {
		t.Error("nothing has happened")
	}
	slots := map[string]uint64{}
	for worker, n := range d.Workers {
		slot, _, _ := strings.Cut(worker, ".")
		slots[slot] += n
	}
	kills := uint64(0)
	for n := range maps.Values(l.kills) {
		kills += n
	}
	t.Logf("%v, %d processes of %d goroutines: %d updates acknowledged, %d written (by process %v), %d kills, %d reads by another process",
		length, soakSlots, soakWorkers, len(l.sums), d.Sum, slices.Sorted(maps.Values(slots)), kills, reads)
}

// fastDir is a directory in memory, if there is one: a process that is killed
// leaves the same on any disk.
func fastDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "ckpt test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
