package filestore_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/faultfs"
	"github.com/kubeckpt/ckpt/internal/testchild"
)

// childRole makes the test binary a writer that is to be killed. Its values are
// those of child.
const childRole = "CKPT_TEST_CHILD"

// child runs endless from a step on, and acknowledges on standard output. Before or
// after the given call, unless that is 0, it kills itself.
func child(values []string) int {
	if len(values) != 5 {
		fmt.Fprintf(os.Stderr, "%q, want directory, order, start, call, after\n", values)
		return 2
	}
	dir, order := values[0], values[1]
	start, err1 := strconv.Atoi(values[2])
	call, err2 := strconv.Atoi(values[3])
	after, err3 := strconv.ParseBool(values[4])
	if err := errors.Join(err1, err2, err3); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	st, err := openOS(dir, order)
	if call > 0 {
		st, err = filestore.Open(dir, filestore.WithFS(faultfs.Wrap(afero.NewOsFs(),
			faultfs.Rule{From: call, After: after, Do: killSelf})))
	}
	// A child that is not killed ends some time.
	for i := start; err == nil && i < start+10_000; i++ {
		if err = endless(i).do(st); err == nil {
			_, err = fmt.Println(i)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

func killSelf() {
	p, err := os.FindProcess(os.Getpid())
	if err == nil {
		_ = p.Kill()
	}
	select {} // the signal is on its way
}

// kill starts a child and kills it after a delay, or lets it kill itself at a
// call. It returns whether the child came to be killed, and advances p to the
// last acknowledged step.
func kill(dir, order string, p *progress, delay time.Duration, call int, after bool) error {
	cmd, err := testchild.Command(childRole, dir, order, strconv.Itoa(p.next), strconv.Itoa(call), strconv.FormatBool(after))
	if err != nil {
		return err
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() }).Stop()
	acks := bufio.NewScanner(out)
	first := true
	for acks.Scan() {
		if n, err := strconv.Atoi(acks.Text()); err != nil || n != p.next {
			return fmt.Errorf("acknowledged %q, want %d", acks.Text(), p.next)
		}
		p.advance()
		if first && call == 0 {
			first = false
			time.AfterFunc(delay, func() { _ = cmd.Process.Kill() })
		}
	}
	_, _ = io.Copy(io.Discard, out)
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != -1 {
		return fmt.Errorf("child was not killed: %v: %s", err, stderr.String())
	}
	return nil
}

// kills kills a writer at random, many times, and looks each time.
func kills(dir, order string, n int) (sum verdict, err error) {
	p := progress{state: state{}}
	for range n {
		if err := kill(dir, order, &p, time.Duration(rand.IntN(8000))*time.Microsecond, 0, false); err != nil {
			return sum, err
		}
		v, err := p.judge(dir)
		if err != nil {
			return sum, err
		}
		sum.add(v)
		if order != "ours" {
			if err := clearLeftovers(dir); err != nil {
				return sum, err
			}
			continue
		}
		if _, err := openOS(dir, order); err != nil {
			return sum, err
		}
		if _, left, err := onDisk(dir); err != nil || left != 0 {
			return sum, fmt.Errorf("I6: %d leftovers after Open, %w", left, err)
		}
	}
	return sum, nil
}

func TestKillAtRandom(t *testing.T) {
	sequential(t)
	n := amount("CKPT_KILLS", 40)
	v, err := kills(fastDir(t), "ours", n)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d kills: %+v", n, v)
	if v.Lost != 0 || v.Torn != 0 {
		t.Errorf("%+v", v)
	}
}

// A child that kills itself before and after calls to the file system: all of a
// first write or, with CKPT_KILLS, all of nine steps with a removal.
func TestKillAtEveryCall(t *testing.T) {
	sequential(t)
	calls := min(120, amount("CKPT_KILLS", 25))
	for call := 5; call <= calls; call++ { // the first are of Open
		for _, after := range []bool{false, true} {
			dir := fastDir(t)
			p := progress{state: state{}}
			if err := kill(dir, "ours", &p, 0, call, after); err != nil {
				t.Fatal(err)
			}
			v, err := p.judge(dir)
			if err != nil || v.Lost != 0 || v.Torn != 0 || v.Leftovers > 1 {
				t.Errorf("killed at call %d, after it %v: %+v, %v", call, after, v, err)
			}
			open(t, dir)
			if _, left, err := onDisk(dir); err != nil || left != 0 {
				t.Errorf("killed at call %d, after it %v: %d leftovers, %v", call, after, left, err)
			}
		}
	}
}
