package filestore_test

import (
	"fmt"
	"io"
	"syscall"
	"testing"

	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/faultfs"
)

// runCells runs every cell, the fault met once and from then on.
func runCells() (n int, errs []error) {
	for _, c := range cells() {
		for _, persistent := range []bool{false, true} {
			n++
			f, err := newFaulted(nil)
			if err == nil {
				rule := c.rule
				if persistent {
					rule.To = -1
				}
				f.fs.Inject(rule)
				err = f.check(c.op, c.want(persistent), expected(rule.Err), false)
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("%v, from then on %v: %w", c, persistent, err))
			}
		}
	}
	return n, errs
}

// expected leaves out what is not passed on: the end of a file is reported as
// unexpected.
func expected(err error) []error {
	if err == nil || err == io.EOF {
		return nil
	}
	return []error{err}
}

// runPairs makes the clean-up after each failed put fail as well.
func runPairs() (n int, errs []error) {
	for _, c := range cells() {
		fills := c.rule.Call == faultfs.Write || c.rule.Call == faultfs.Sync || c.rule.Call == faultfs.Close ||
			c.rule.Call == faultfs.Rename || c.rule.Call == faultfs.Chmod || c.rule.Call == faultfs.Attrs
		if c.op != "put" || c.want(true) != kept || !fills {
			continue
		}
		for _, cleanup := range []error{syscall.EIO, syscall.EROFS, syscall.EPERM, syscall.EACCES, syscall.ENOENT} {
			n++
			f, err := newFaulted(nil)
			if err == nil {
				f.whole = true
				rule := c.rule
				rule.To = -1
				f.fs.Inject(rule, faultfs.Rule{Call: faultfs.Remove, Path: anyTemp, Err: cleanup})
				want := expected(rule.Err)
				if cleanup != syscall.ENOENT { // it is gone, which is what was wanted
					want = append(want, cleanup)
				}
				err = f.check(c.op, kept, want, true)
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("%v, then remove: %v: %w", c, cleanup, err))
			}
		}
	}
	return n, errs
}

func TestFaults(t *testing.T) {
	sequential(t)
	n, errs := runCells()
	t.Logf("%d cells, each once and from then on: %d runs", len(cells()), n)
	for _, err := range errs {
		t.Error(err)
	}
	if len(cells()) < 89 {
		t.Errorf("only %d cells", len(cells()))
	}
}

func TestFaultsInCleanUp(t *testing.T) {
	sequential(t)
	n, errs := runPairs()
	t.Logf("%d pairs", n)
	for _, err := range errs {
		t.Error(err)
	}
}

// runEach fails the first call of an operation, then the second, and so on until
// none is left: before its work and after, once and from then on. Whatever the
// outcome, it has to be true.
func runEach() (n int, errs []error) {
	for _, op := range []string{"open", "reopen", "put", "unchanged", "update", "delete", "read", "list", "probe", "sweep",
		"generations", "generation", "forget", "put with history", "restore", "quarantine"} {
		var also []string
		var opts []filestore.Option
		switch op {
		case "sweep":
			also = []string{stale}
		case "restore", "generations", "generation", "forget", "put with history":
			also = []string{".k.gen-0000000001"}
			opts = append(opts, filestore.WithHistory(1))
		}
		for _, rule := range []faultfs.Rule{
			{Err: syscall.EIO},
			{Err: syscall.EIO, To: -1},
			{Err: syscall.EIO, After: true},
			{Err: syscall.EIO, After: true, To: -1},
		} {
			for rule.From = 1; ; rule.From++ {
				f, err := newFaulted(also, opts...)
				if err != nil {
					return n, append(errs, err)
				}
				f.whole = true
				f.fs.Inject(rule)
				err = f.do(op)
				if f.fs.Fired() == 0 {
					break
				}
				n++
				// What cannot be removed, or was made by a call that denies it, stays.
				mayLeave := op == "sweep" || op == "probe" || rule.To < 0 || rule.After
				if err := f.verify(op, classify(op, err), err, nil, mayLeave); err != nil {
					errs = append(errs, fmt.Errorf("%s: call %d, %+v: %w", op, rule.From, rule, err))
				}
			}
		}
	}
	return n, errs
}

func TestFailEachCall(t *testing.T) {
	sequential(t)
	n, errs := runEach()
	t.Logf("%d calls failed", n)
	for _, err := range errs {
		t.Error(err)
	}
}
