package filestore_test

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/afero"

	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/crashfs"
	"github.com/kubeckpt/ckpt/internal/faultfs"
)

// onFaulty returns a store with history on a disk whose calls may be made to fail.
func onFaulty(t *testing.T, n int) (*filestore.Store, *faultfs.FS, *crashfs.FS) {
	t.Helper()
	memory := crashfs.New()
	faulty := faultfs.Wrap(memory)
	return open(t, storeDir, filestore.WithFS(faulty), filestore.WithHistory(n)), faulty, memory
}

// keptOn reads the generations of k, newest first.
func keptOn(t *testing.T, s *filestore.Store, disk afero.Fs) (all []string) {
	t.Helper()
	gens, err := s.Generations("k")
	if err != nil {
		t.Fatal(err)
	}
	for _, gen := range gens {
		blob, err := afero.ReadFile(disk, gen.Path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(blob))
	}
	return all
}

// A write that fails leaves no copy of what it did not replace, however often it is
// tried, and what was kept before stays.
func TestFailedWritesKeepNothing(t *testing.T) {
	s, faulty, memory := onFaulty(t, 1)
	for _, v := range []string{"1", "2", "3"} {
		write(t, s, "k", v)
	}
	for _, rule := range []faultfs.Rule{
		{Call: faultfs.Rename, Path: ".ckpt-*", From: 2, To: 2, Err: syscall.EPERM},
		{Call: faultfs.Write, From: 2, To: 2, Err: syscall.ENOSPC, Short: true},
		{Call: faultfs.Write, To: -1, Err: syscall.ENOSPC, Short: true},
		{Call: faultfs.Sync, From: 2, To: 2, Err: syscall.EIO},
		{Call: faultfs.SyncDir, To: 1, Err: syscall.EIO}, // that of the copy
	} {
		for range 5 {
			faulty.Clear()
			faulty.Inject(rule)
			if err := s.Write("k", []byte("4")); err == nil {
				t.Fatalf("%+v: the write did not fail", rule)
			}
		}
		faulty.Clear()
		wantValue(t, s, "k", "3")
		if got := keptOn(t, s, memory); !slices.Equal(got, []string{"2"}) {
			t.Errorf("after failures of %+v kept: %q", rule, got)
		}
	}
	write(t, s, "k", "4")
	if got := keptOn(t, s, memory); !slices.Equal(got, []string{"3"}) {
		t.Errorf("then kept: %q", got)
	}
}

// One that cannot even remove its copy uses it the next time.
func TestCopyThatStaysIsUsed(t *testing.T) {
	s, faulty, memory := onFaulty(t, 2)
	for _, v := range []string{"1", "2", "3"} {
		write(t, s, "k", v)
	}
	for range 5 {
		faulty.Clear()
		faulty.Inject(faultfs.Rule{Call: faultfs.Write, From: 2, To: 2, Err: syscall.ENOSPC}, faultfs.Rule{Call: faultfs.Remove, To: -1, Err: syscall.EIO})
		if err := s.Write("k", []byte("4")); err == nil {
			t.Fatal("the write did not fail")
		}
		if got := keptOn(t, s, memory); !slices.Equal(got, []string{"3", "2", "1"}) {
			t.Fatalf("kept: %q", got)
		}
	}
	faulty.Clear()
	write(t, s, "k", "4")
	if got := keptOn(t, s, memory); !slices.Equal(got, []string{"3", "2"}) {
		t.Errorf("then kept: %q", got)
	}
}

// While it is not certain that a value is durable, what is kept is bounded too, and
// repeating the write does not push out the value before.
func TestHistoryOfWhatIsNotDurable(t *testing.T) {
	s, faulty, memory := onFaulty(t, 1)
	write(t, s, "k", "1")
	for i := range 5 {
		faulty.Clear()
		faulty.Inject(faultfs.Rule{Call: faultfs.SyncDir, From: 2, To: -1, Err: syscall.EIO})
		if err := s.Write("k", fmt.Appendf(nil, "new %d", i)); err == nil {
			t.Fatal("the write did not fail")
		}
		if got := keptOn(t, s, memory); len(got) == 0 || len(got) > 2 {
			t.Errorf("kept: %q", got)
		}
	}
	before := keptOn(t, s, memory)
	faulty.Clear()
	write(t, s, "k", "new 4")
	if got := keptOn(t, s, memory); len(got) != 1 || got[0] != before[0] {
		t.Errorf("kept: %q, before it was known to be durable %q", got, before)
	}
}

// The same for what a Restore puts into quarantine.
func TestFailedRestoresKeepNothing(t *testing.T) {
	for _, rule := range []faultfs.Rule{
		{Call: faultfs.Rename, Path: ".ckpt-*", From: 2, To: 2, Err: syscall.EPERM},
		{Call: faultfs.Write, From: 2, To: 2, Err: syscall.ENOSPC, Short: true},
		{Call: faultfs.SyncDir, To: 1, Err: syscall.EIO},
	} {
		s, faulty, memory := onFaulty(t, 1)
		write(t, s, "k", "good")
		write(t, s, "k", "bad")
		for range 5 {
			faulty.Clear()
			faulty.Inject(rule)
			if _, err := s.Restore("k", notBad); err == nil {
				t.Fatalf("%+v: the restore did not fail", rule)
			}
		}
		faulty.Clear()
		wantValue(t, s, "k", "bad")
		infos, err := afero.ReadDir(memory, storeDir)
		if err != nil {
			t.Fatal(err)
		}
		for _, info := range infos {
			if strings.Contains(info.Name(), ".corrupt-") {
				t.Errorf("%+v has left %s", rule, info.Name())
			}
		}
	}
}
