package filestore_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/faultfs"
)

// An option that means nothing is refused when there is still somebody to tell.
func TestOpenRefusesOptions(t *testing.T) {
	for name, opt := range map[string]filestore.Option{
		"history of -1":      filestore.WithHistory(-1),
		"a largest value -1": filestore.WithMaxSize(-1),
		"a largest value 0":  filestore.WithMaxSize(0),
		"durability 9":       filestore.WithDurability(9),
		"durability -1":      filestore.WithDurability(-1),
		"links 9":            filestore.WithSymlinks(9),
		"attributes 9":       filestore.WithAttributes(9),
		"mode 0":             filestore.WithDirMode(0),
		"mode of a pipe":     filestore.WithDirMode(0o700 | fs.ModeNamedPipe),
	} {
		dir := t.TempDir() + "/new"
		var op *filestore.OpError
		if _, err := filestore.Open(dir, opt); !errors.As(err, &op) || op.Op != "open" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := filestore.Open(t.TempDir(), nil, filestore.WithLogger(nil)); err != nil {
		t.Errorf("no option: %v", err)
	}
}

func TestNoFunction(t *testing.T) {
	s := open(t, t.TempDir(), filestore.WithHistory(1))
	write(t, s, "k", "1")
	write(t, s, "k", "2")
	if err := s.Update("k", nil); err == nil {
		t.Error("Update without a function")
	}
	if _, err := s.Restore("k", nil); err == nil {
		t.Error("Restore without a function")
	}
	wantValue(t, s, "k", "2")
}

// A backup is no key, but what only looks a bit like one is.
func TestListLeavesOutBackups(t *testing.T) {
	s := open(t, t.TempDir())
	for _, key := range []string{"k", "k.ckpt-backup-of-mine", "k.ckpt-backup-20261130T130232Z-x"} {
		write(t, s, key, "1")
	}
	want, err := s.List()
	if err != nil || len(want) != 3 {
		t.Fatal(want, err)
	}
	for _, to := range []string{"2", "3"} { // in one second
		value, err := s.Read("k")
		if err == nil {
			_, err = s.Replace("k", value, []byte(to))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if got, err := s.List(); err != nil || !slices.Equal(got, want) {
		t.Errorf("List() = %q, %v; want %q", got, err, want)
	}
}

// Without locks the error says what to do.
func TestNoLocksSaysWhatToDo(t *testing.T) {
	s := open(t, "/s", filestore.WithFS(afero.NewMemMapFs()))
	err := s.Update("k", func([]byte) ([]byte, error) { return []byte("v"), nil })
	var none *filestore.NoLockError
	if !errors.As(err, &none) || !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "filestore.WithoutLock") {
		t.Errorf("Update: %v", err)
	}
}

// So does a writer that is not root.
func TestOwnerThatCannotBeKept(t *testing.T) {
	dir := t.TempDir()
	write(t, open(t, dir), "k", "old")
	if err := os.Chown(filepath.Join(dir, "k"), 65534, 65534); err != nil {
		t.Skip(err) // needs root
	}
	faulty := faultfs.Wrap(afero.NewOsFs(), faultfs.Rule{Call: faultfs.Chown, To: -1, Err: syscall.EPERM})
	err := open(t, dir, filestore.WithFS(faulty)).Write("k", []byte("new"))
	var owner *filestore.KeepOwnerError
	if !errors.As(err, &owner) || !errors.Is(err, syscall.EPERM) || !strings.Contains(err.Error(), "TryAttributes") {
		t.Errorf("Write: %v", err)
	}
}

func TestDeleteWaitsForItsContext(t *testing.T) {
	dir := t.TempDir()
	// The context alone decides, not the patience of the store.
	holder, other := open(t, dir), open(t, dir, filestore.WithLockTimeout(0))
	write(t, holder, "k", "v")
	released := make(chan struct{})
	deleted := make(chan error, 1)
	err := holder.Update("k", func([]byte) ([]byte, error) {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
		defer cancel()
		if err := other.DeleteContext(ctx, "k"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("until the deadline: %v", err)
		}
		ctx, cancel = context.WithCancel(context.Background())
		cancel()
		if err := open(t, dir).DeleteContext(ctx, "k"); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			close(released)
			deleted <- other.DeleteContext(ctx, "k")
		}()
		<-released
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-deleted; err != nil {
		t.Errorf("after the wait: %v", err)
	}
	if _, err := holder.Read("k"); err != filestore.ErrKeyNotFound {
		t.Errorf("Read: %v", err)
	}
	var none context.Context
	if err := holder.DeleteContext(none, "k"); err == nil {
		t.Error("no context was accepted")
	}
}

func TestForget(t *testing.T) {
	s, faulty, memory := onFaulty(t, 3)
	if err := s.Forget("k"); err != nil {
		t.Errorf("nothing is kept: %v", err)
	}
	for _, v := range []string{"1", "2", "3"} {
		write(t, s, "k", v)
		write(t, s, "k.gen-1", v)
	}
	faulty.Inject(faultfs.Rule{Call: faultfs.SyncDir, Err: syscall.EIO})
	if err := s.Forget("k"); !errors.Is(err, syscall.EIO) {
		t.Errorf("a fault: %v", err)
	}
	if err := s.Forget("k"); err != nil {
		t.Error(err)
	}
	if got := keptOn(t, s, memory); len(got) != 0 {
		t.Errorf("kept: %q", got)
	}
	wantValue(t, s, "k", "3")
	if gens, err := s.Generations("k.gen-1"); err != nil || len(gens) != 2 {
		t.Errorf("of another key: %v, %v", gens, err)
	}
}
