package faultfs_test

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"testing"

	"github.com/spf13/afero"

	"github.com/kubeckpt/ckpt/internal/crashfs"
	"github.com/kubeckpt/ckpt/internal/faultfs"
)

func newFS(t *testing.T, rules ...faultfs.Rule) *faultfs.FS {
	t.Helper()
	inner := crashfs.New()
	if err := afero.WriteFile(inner, "/f", []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	return faultfs.Wrap(inner, rules...)
}

func TestWhichCallsFail(t *testing.T) {
	for _, c := range []struct {
		from, to int
		want     []bool
	}{
		{0, 0, []bool{true, false, false, false}},
		{2, 0, []bool{false, true, false, false}},
		{2, 3, []bool{false, true, true, false}},
		{2, -1, []bool{false, true, true, true}},
		{9, -1, []bool{false, false, false, false}},
	} {
		f := newFS(t, faultfs.Rule{Call: faultfs.Stat, Path: "f*", From: c.from, To: c.to, Err: syscall.EIO})
		var got []bool
		fired := 0
		for range c.want {
			_, err := f.Stat("/f")
			if got = append(got, err != nil); err != nil {
				fired++
			}
			if _, err := f.Stat("/"); err != nil {
				t.Errorf("a call on another path failed: %v", err)
			}
		}
		if !slices.Equal(got, c.want) || f.Fired() != fired {
			t.Errorf("from %d to %d: failed %v, fired %d; want %v", c.from, c.to, got, f.Fired(), c.want)
		}
	}
}

// Every call can fail, with the errno and the path, before and after its work.
func TestEveryCall(t *testing.T) {
	handle := func(f *faultfs.FS, name string, do func(afero.File) error) error {
		h, err := f.OpenFile(name, os.O_RDONLY, 0)
		if err != nil {
			return err
		}
		defer h.Close()
		return do(h)
	}
	writable := func(f *faultfs.FS, do func(afero.File) error) error {
		h, err := f.OpenFile("/f", os.O_RDWR, 0)
		if err != nil {
			return err
		}
		defer h.Close()
		return do(h)
	}
	for call, do := range map[faultfs.Call]func(f *faultfs.FS) error{
		faultfs.Stat:     func(f *faultfs.FS) error { _, _, err := f.LstatIfPossible("/f"); return err },
		faultfs.Mkdir:    func(f *faultfs.FS) error { return f.Mkdir("/d", 0o700) },
		faultfs.Create:   func(f *faultfs.FS) error { _, err := f.Create("/g"); return err },
		faultfs.Open:     func(f *faultfs.FS) error { _, err := f.Open("/f"); return err },
		faultfs.OpenDir:  func(f *faultfs.FS) error { _, err := f.Open("/"); return err },
		faultfs.Remove:   func(f *faultfs.FS) error { return f.Remove("/f") },
		faultfs.Rename:   func(f *faultfs.FS) error { return f.Rename("/f", "/g") },
		faultfs.Chmod:    func(f *faultfs.FS) error { return f.Chmod("/f", 0o400) },
		faultfs.Chown:    func(f *faultfs.FS) error { return f.Chown("/f", 1, 1) },
		faultfs.Readlink: func(f *faultfs.FS) error { _, err := f.ReadlinkIfPossible("/f"); return err },
		faultfs.Lock:     func(f *faultfs.FS) error { _, _, err := f.TryLock("/l", true, ""); return err },
		faultfs.Attrs:    func(f *faultfs.FS) error { return f.CopyAttributes("/f", "/g") },
		faultfs.ReadDir: func(f *faultfs.FS) error {
			return handle(f, "/", func(h afero.File) error { _, err := h.Readdir(-1); return err })
		},
		faultfs.SyncDir:  func(f *faultfs.FS) error { return handle(f, "/", afero.File.Sync) },
		faultfs.CloseDir: func(f *faultfs.FS) error { return handle(f, "/", afero.File.Close) },
		faultfs.Sync:     func(f *faultfs.FS) error { return handle(f, "/f", afero.File.Sync) },
		faultfs.Close:    func(f *faultfs.FS) error { return handle(f, "/f", afero.File.Close) },
		faultfs.Read: func(f *faultfs.FS) error {
			return handle(f, "/f", func(h afero.File) error { _, err := h.Read(make([]byte, 1)); return err })
		},
		faultfs.Write: func(f *faultfs.FS) error {
			return writable(f, func(h afero.File) error { _, err := h.Write([]byte("x")); return err })
		},
		faultfs.Truncate: func(f *faultfs.FS) error {
			return writable(f, func(h afero.File) error { return h.Truncate(1) })
		},
	} {
		for _, after := range []bool{false, true} {
			if after && call == faultfs.Readlink {
				continue // that of a regular file fails by itself
			}
			f := newFS(t, faultfs.Rule{Call: call, Err: syscall.EIO, After: after})
			err := do(f)
			var pe *fs.PathError
			var le *os.LinkError
			if !errors.Is(err, syscall.EIO) || !errors.As(err, &pe) && !errors.As(err, &le) || f.Fired() != 1 {
				t.Errorf("%s, after %v: %v, fired %d", call, after, err, f.Fired())
			}
			did := false
			f = newFS(t, faultfs.Rule{Call: call, Do: func() { did = true }, After: after})
			if err := do(f); err != nil && call != faultfs.Readlink || !did {
				t.Errorf("%s, after %v: Do: %v, called %v", call, after, err, did)
			}
		}
	}
}

func TestAfterDoesTheWork(t *testing.T) {
	f := newFS(t, faultfs.Rule{Call: faultfs.Rename, Err: syscall.EIO, After: true})
	if err := f.Rename("/f", "/g"); !errors.Is(err, syscall.EIO) {
		t.Errorf("Rename: %v", err)
	}
	if _, err := f.Stat("/g"); err != nil {
		t.Errorf("not renamed: %v", err)
	}
	want := []faultfs.Seen{{Call: faultfs.Rename, Path: "/f"}, {Call: faultfs.Stat, Path: "/g"}}
	if got := f.Calls(); !slices.Equal(got, want) {
		t.Errorf("Calls() = %v", got)
	}
}

func TestShort(t *testing.T) {
	f := newFS(t,
		faultfs.Rule{Call: faultfs.Write, Short: true},
		faultfs.Rule{Call: faultfs.Write, Short: true, Err: syscall.ENOSPC})
	h, err := f.OpenFile("/f", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := h.Write([]byte("1234")); n != 2 || err != nil {
		t.Errorf("short write: %d, %v", n, err)
	}
	if n, err := h.Write([]byte("1234")); n != 2 || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("short write with an error: %d, %v", n, err)
	}
	if n, err := h.Write([]byte("1234")); n != 4 || err != nil {
		t.Errorf("third write: %d, %v", n, err)
	}
}

func TestInjectAndClear(t *testing.T) {
	f := newFS(t)
	if _, err := f.Stat("/f"); err != nil {
		t.Fatal(err)
	}
	f.Inject(faultfs.Rule{Call: faultfs.Stat, To: -1, Err: syscall.EIO})
	if _, err := f.Stat("/f"); !errors.Is(err, syscall.EIO) {
		t.Errorf("injected: %v", err)
	}
	f.Clear()
	if _, err := f.Stat("/f"); err != nil {
		t.Errorf("cleared: %v", err)
	}
}
