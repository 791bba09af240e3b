package filestore_test

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/spf13/afero"

	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/crashfs"
	"github.com/kubeckpt/ckpt/internal/faultfs"
)

// faulted is a store on a file system with faults, on a disk that can crash.
type faulted struct {
	disk  *crashfs.FS
	fs    *faultfs.FS
	store *filestore.Store
	whole bool // spare the crash states with torn blocks
}

var faultedBefore = state{"k": "old", "l": "other"}

// newFaulted makes one. The files in also are there, too; those that a sweep would
// remove are only made after Open.
func newFaulted(also []string, opts ...filestore.Option) (*faulted, error) {
	disk := crashfs.New()
	if err := disk.Mkdir(storeDir, 0o755); err != nil {
		return nil, err
	}
	for key, value := range faultedBefore {
		// A mode other than that of a new file has to be carried over.
		if err := afero.WriteFile(disk, path.Join(storeDir, key), []byte(value), 0o640); err != nil {
			return nil, err
		}
	}
	for _, name := range also {
		if err := afero.WriteFile(disk, path.Join(storeDir, name), []byte("older"), 0o600); err != nil {
			return nil, err
		}
	}
	disk.Checkpoint()
	f := &faulted{disk: disk, fs: faultfs.Wrap(disk)}
	// Under a lock nothing is swept.
	unlock, _, err := disk.TryLock(storeDir+"/.ckpt.lock", true, "")
	if err != nil {
		return nil, err
	}
	f.store, err = filestore.Open(storeDir, append(opts, filestore.WithFS(f.fs), filestore.WithLockTimeout(0))...)
	return f, errors.Join(err, unlock())
}

func (f *faulted) do(op string) error {
	s := f.store
	set := func(value string) func([]byte) ([]byte, error) {
		return func([]byte) ([]byte, error) { return []byte(value), nil }
	}
	switch op {
	case "open":
		_, err := filestore.Open("/new/deep", filestore.WithFS(f.fs))
		return err
	case "reopen":
		_, err := filestore.Open(storeDir, filestore.WithFS(f.fs), filestore.WithLockTimeout(0))
		return err
	case "put", "put with history":
		return s.Write("k", []byte("new"))
	case "unchanged":
		return s.Write("k", []byte("old"))
	case "update":
		return s.Update("k", set("new"))
	case "delete":
		return s.Delete("k")
	case "quarantine":
		_, err := s.Quarantine("k")
		return err
	case "restore":
		_, err := s.Restore("k", func([]byte) error { return nil })
		return err
	case "probe":
		return s.Probe()
	case "sweep":
		_, err := s.Sweep()
		return err
	case "generations":
		_, err := s.Generations("k")
		return err
	case "generation":
		got, err := s.ReadGeneration("k", 1)
		if err == nil && string(got) != "older" {
			return fmt.Errorf("I1: read %q", got)
		}
		return err
	case "forget":
		return s.Forget("k")
	case "list":
		keys, err := s.List()
		if err == nil && !slices.Equal(keys, []string{"k", "l"}) {
			return fmt.Errorf("I5: listed %q", keys)
		}
		return err
	}
	got, err := s.Read("k")
	if err == nil && string(got) != "old" {
		return fmt.Errorf("I1: read %q", got)
	}
	return err
}

// wanted is what op makes of the store.
func wanted(op string) state {
	switch op {
	case "put", "put with history", "update":
		return put("k", "new").after(faultedBefore)
	case "restore":
		return put("k", "older").after(faultedBefore)
	case "delete", "quarantine":
		return del("k").after(faultedBefore)
	}
	return faultedBefore
}

// classify says what the caller of op has been told.
func classify(op string, err error) outcome {
	var notDurable *filestore.NotDurableError
	var unknown *filestore.UncertainError
	switch {
	case err == nil:
		return done
	case errors.As(err, &notDurable):
		return undurable
	case errors.As(err, &unknown):
		return uncertain
	case err == filestore.ErrKeyNotFound:
		return absent
	case maps.Equal(wanted(op), faultedBefore):
		return failed
	}
	return kept
}

// allowed lists the states of the store after an outcome: those that a reader may
// see now, and those that may be there after a crash.
func (o outcome) allowed(op string) (now, crashed []state) {
	old, next := faultedBefore, wanted(op)
	switch o {
	case done:
		return []state{next}, []state{next}
	case undurable:
		return []state{next}, []state{old, next}
	case uncertain:
		return []state{old, next}, []state{old, next}
	}
	return []state{old}, []state{old}
}

// check runs the operation under faults, and then: the outcome is the right one,
// the errno can be found, the reader sees what the outcome says, nothing is left
// lying about unless it could not be removed, no file is synced twice, the next
// write works, and all that also holds after a crash at any point.
func (f *faulted) check(op string, want outcome, errs []error, mayLeave bool) error {
	err := f.do(op)
	if f.fs.Fired() == 0 {
		return errors.New("the fault was not met")
	}
	if got := classify(op, err); got != want {
		return fmt.Errorf("I7: outcome %s (%v), want %s", got, err, want)
	}
	return f.verify(op, want, err, errs, mayLeave)
}

func (f *faulted) verify(op string, want outcome, err error, errs []error, mayLeave bool) error {
	for _, e := range errs {
		if err != nil && want != absent && !errors.Is(err, e) {
			return fmt.Errorf("I7: %v is not in %v", e, err)
		}
	}
	if err != nil && want != absent && !strings.Contains(err.Error(), "/") {
		return fmt.Errorf("the error names no path: %v", err)
	}
	if n := f.disk.OpenHandles(); n != 0 {
		return fmt.Errorf("I10: %d handles open", n)
	}
	if left := temps(f.disk); len(left) > 0 && !mayLeave {
		return fmt.Errorf("I6: %q left", left)
	}
	if err := syncedOnce(f.fs.Calls()); err != nil {
		return err
	}
	return f.crash(op, want)
}

func syncedOnce(calls []faultfs.Seen) error {
	synced := map[string]bool{}
	for _, c := range calls {
		if c.Call == faultfs.Sync && synced[c.Path] {
			return fmt.Errorf("%s was synced twice", c.Path)
		}
		synced[c.Path] = synced[c.Path] || c.Call == faultfs.Sync
	}
	return nil
}

// crash looks at the store after the fault and after every crash, then repairs
// the file system and repeats the operation, and crashes that.
func (f *faulted) crash(op string, got outcome) error {
	f.disk.Mark("returned")
	f.fs.Clear()
	now, crashed := got.allowed(op)
	live, err := contents(f.store)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(now, func(s state) bool { return maps.Equal(s, live) }) {
		return fmt.Errorf("I1–I4: the store holds %q after outcome %s", live, got)
	}
	if err := f.do(op); err != nil && !errors.Is(err, filestore.ErrKeyNotFound) {
		return fmt.Errorf("I8: repeated: %w", err)
	} else if err == nil {
		f.disk.Mark("repeated") // what is gone already is not quarantined again
	}
	both := []state{faultedBefore, wanted(op)}
	for img := range f.disk.Images(crashfs.AnySubset, crashfs.Outcomes{Whole: f.whole}) {
		allow := both
		switch {
		case len(img.Acked) == 2:
			allow = []state{wanted(op)}
		case len(img.Acked) == 1 && img.Acked[0] == "returned" && img.After == indexOfMark(f.disk.Trace(), "returned"):
			allow = crashed
		}
		if err := recovered(img.FS, 2, allow...); err != nil {
			return fmt.Errorf("crash after operation %d: %w", img.After, err)
		}
	}
	return nil
}

// indexOfMark gives the number of operations up to and with a mark.
func indexOfMark(trace []crashfs.Op, mark string) int {
	return 1 + slices.IndexFunc(trace, func(op crashfs.Op) bool { return op.Mark == mark })
}
