package crashfs_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/spf13/afero"

	"github.com/kubeckpt/ckpt/internal/crashfs"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// begin returns a file system on which /s/k has an old value.
func begin(t testing.TB) *crashfs.FS {
	t.Helper()
	f := crashfs.New()
	must(t, f.MkdirAll("/s", 0o755))
	must(t, afero.WriteFile(f, "/s/k", []byte("old value"), 0o600))
	f.Checkpoint()
	return f
}

// overwrite is the usual order of steps, with or without the last.
func overwrite(t testing.TB, f *crashfs.FS, value string, syncDir bool) {
	t.Helper()
	tmp, err := f.OpenFile("/s/.tmp", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	must(t, err)
	_, err = tmp.WriteString(value)
	must(t, err)
	must(t, tmp.Sync())
	must(t, tmp.Close())
	must(t, f.Rename("/s/.tmp", "/s/k"))
	if syncDir {
		d, err := f.Open("/s")
		must(t, err)
		must(t, d.Sync())
		must(t, d.Close())
	}
	f.Mark("new")
}

// perPoint counts the images after each operation.
func perPoint(f *crashfs.FS, m crashfs.Model) []int {
	n := make([]int, len(f.Trace())+1)
	for img := range f.Images(m, crashfs.Outcomes{}) {
		n[img.After]++
	}
	return n
}

// The numbers are worked out by hand from the rules in doc.go: after the write
// the temporary file may be absent, empty, full, zeros, garbage, or cut at one of
// three places and then short, followed by zeros, or by garbage.
func TestImagesOfAnOverwrite(t *testing.T) {
	for _, c := range []struct {
		name    string
		syncDir bool
		model   crashfs.Model
		want    []int
	}{
		{"any subset", true, crashfs.AnySubset, []int{1, 2, 14, 2, 2, 3, 1, 1, 1}},
		{"no directory fsync", false, crashfs.AnySubset, []int{1, 2, 14, 2, 2, 3, 3}},
		{"prefix", true, crashfs.Prefix, []int{1, 2, 3, 2, 2, 3, 1, 1, 1}},
		{"synced", true, crashfs.Synced, []int{1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{"split rename", true, crashfs.SplitRename, []int{1, 2, 14, 2, 2, 6, 1, 1, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := begin(t)
			overwrite(t, f, "new value", c.syncDir)
			if got := perPoint(f, c.model); !slices.Equal(got, c.want) {
				t.Errorf("images at each point:\n got %v\nwant %v", got, c.want)
			}
		})
	}
}

// Without the directory fsync the acknowledged value can be lost; with it, not.
func TestExploreFindsALostWrite(t *testing.T) {
	invariant := func(img crashfs.Image) error {
		b, err := afero.ReadFile(img.FS, "/s/k")
		if err == nil && len(img.Acked) > 0 && string(b) != "new value" {
			err = errors.New("acknowledged value lost")
		}
		return err
	}
	f := begin(t)
	overwrite(t, f, "new value", true)
	if r := crashfs.Explore(f, crashfs.AnySubset, crashfs.Outcomes{}, invariant); r.Violations != 0 {
		t.Errorf("right order: %v", r.First)
	}
	f = begin(t)
	overwrite(t, f, "new value", false)
	r := crashfs.Explore(f, crashfs.AnySubset, crashfs.Outcomes{}, invariant)
	if r.Violations == 0 {
		t.Fatal("the lost write was not found")
	}
	text := r.First.String()
	for _, want := range []string{"acknowledged value lost", "---- crash ----", "rename .tmp k", "-- /s/k --\nold value"} {
		if !strings.Contains(text, want) {
			t.Errorf("counterexample lacks %q:\n%s", want, text)
		}
	}
}

func TestMixturesOfBlocks(t *testing.T) {
	f := begin(t)
	h, err := f.OpenFile("/s/k", os.O_RDWR, 0)
	must(t, err)
	_, err = h.Write([]byte("AAAABBBB")) // over "old value", in blocks of four
	must(t, err)
	seen := map[string]bool{}
	for img := range f.Images(crashfs.AnySubset, crashfs.Outcomes{Block: 4}) {
		b, err := afero.ReadFile(img.FS, "/s/k")
		must(t, err)
		seen[string(b)] = true
	}
	for _, want := range []string{"old value", "AAAABBBBe", "AAAAvalue", "old BBBBe", "AAAA\xdb\xdb\xdb\xdbe"} {
		if !seen[want] {
			t.Errorf("no image with %q", want)
		}
	}
}

func TestDirectoriesNeedTheirParentSynced(t *testing.T) {
	f := crashfs.New()
	must(t, f.MkdirAll("/a/b", 0o755))
	h, err := f.Create("/a/b/k")
	must(t, err)
	must(t, h.Sync())
	d, err := f.Open("/a/b")
	must(t, err)
	must(t, d.Sync())
	f.Mark("done")
	missing := 0
	for img := range f.Images(crashfs.AnySubset, crashfs.Outcomes{}) {
		if _, err := img.FS.Stat("/a/b/k"); len(img.Acked) > 0 && err != nil {
			missing++
		}
	}
	if missing == 0 {
		t.Error("a file in unsynced directories is never lost")
	}
}

// An image is a file system like any other, and changing it changes no other.
func TestImagesAreIndependent(t *testing.T) {
	f := begin(t)
	overwrite(t, f, "new value", true)
	before := f.String()
	for img := range f.Images(crashfs.AnySubset, crashfs.Outcomes{}) {
		must(t, afero.WriteFile(img.FS, "/s/k", []byte("x"), 0o600))
		must(t, img.FS.Remove("/s/k"))
	}
	if after := f.String(); after != before {
		t.Errorf("changed:\n%s\nwas:\n%s", after, before)
	}
}

func TestInterleave(t *testing.T) {
	ops := func(names ...string) (ops []crashfs.Op) {
		for _, n := range names {
			ops = append(ops, crashfs.Op{Kind: crashfs.Create, Name: n})
		}
		return ops
	}
	orders := map[string]bool{}
	for merged := range crashfs.Interleave(ops("a", "b", "c"), ops("1", "2")) {
		s := ""
		for _, op := range merged {
			s += op.Name
		}
		orders[s] = true
	}
	if len(orders) != 10 || !orders["abc12"] || !orders["a1b2c"] || !orders["12abc"] {
		t.Errorf("orders: %v", orders)
	}
}

func TestErrnos(t *testing.T) {
	f := begin(t)
	must(t, f.Mkdir("/s/d", 0o755))
	must(t, f.SymlinkIfPossible("loop", "/s/loop"))
	must(t, f.SymlinkIfPossible("k", "/s/link"))
	must(t, f.SymlinkIfPossible("gone", "/s/dangling"))
	open := func(name string, flag int) error { _, err := f.OpenFile(name, flag, 0o600); return err }
	stat := func(name string) error { _, err := f.Stat(name); return err }
	for i, c := range []struct {
		got  error
		want error
	}{
		{open("/s/none", os.O_RDONLY), syscall.ENOENT},
		{open("/none/k", os.O_RDWR|os.O_CREATE), syscall.ENOENT},
		{open("/s/k/x", os.O_RDONLY), syscall.ENOTDIR},
		{open("/s/k", os.O_RDWR|os.O_CREATE|os.O_EXCL), syscall.EEXIST},
		{open("/s/link", os.O_RDWR|os.O_CREATE|os.O_EXCL), syscall.EEXIST},
		{open("/s/d", os.O_RDWR), syscall.EISDIR},
		{open("/s/loop", os.O_RDONLY), syscall.ELOOP},
		{stat("/s/dangling"), syscall.ENOENT},
		{f.Mkdir("/s", 0o755), syscall.EEXIST},
		{f.Remove("/s"), syscall.ENOTEMPTY},
		{f.Remove("/s/none"), syscall.ENOENT},
		{f.Rename("/s/none", "/s/k"), syscall.ENOENT},
		{f.Rename("/s/k", "/s/d"), syscall.EEXIST},
		{f.MkdirAll("/s/k", 0o755), syscall.ENOTDIR},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("case %d: %v, want %v", i, c.got, c.want)
		}
	}
}

func TestFiles(t *testing.T) {
	f := begin(t)
	must(t, afero.WriteFile(f, "/s/f", []byte("hello"), 0o640))
	must(t, f.Chmod("/s/f", 0o400))
	info, err := f.Stat("/s/f")
	if err != nil || info.Mode() != 0o400 || info.Size() != 5 || info.Name() != "f" {
		t.Errorf("Stat: %v, %v", info, err)
	}
	h, err := f.Open("/s/f")
	must(t, err)
	must(t, iotest.TestReader(h, []byte("hello")))
	if _, err := h.Write([]byte("x")); !errors.Is(err, syscall.EBADF) {
		t.Errorf("write to a file open for reading: %v", err)
	}
	must(t, h.Close())
	if _, err := h.Read(make([]byte, 1)); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("read of a closed file: %v", err)
	}
	h, err = f.OpenFile("/s/f", os.O_RDWR, 0)
	must(t, err)
	must(t, h.Truncate(2))
	_, err = h.Seek(0, io.SeekEnd)
	must(t, err)
	_, err = h.WriteString("y")
	must(t, err)
	must(t, h.Close())
	if b, _ := afero.ReadFile(f, "/s/f"); string(b) != "hey" {
		t.Errorf("content %q", b)
	}
	if n := f.OpenHandles(); n != 0 {
		t.Errorf("%d handles open", n)
	}
}

func TestLocks(t *testing.T) {
	f := crashfs.New()
	try := func(shared bool) func() error {
		unlock, _, err := f.TryLock("l", shared, "")
		must(t, err)
		return unlock
	}
	a, b := try(true), try(true)
	if a == nil || b == nil || try(false) != nil {
		t.Fatal("sharing does not work")
	}
	must(t, a())
	must(t, b())
	alone := try(false)
	if alone == nil || try(true) != nil {
		t.Fatal("an exclusive lock does not exclude")
	}
	must(t, alone())
	if alone() == nil {
		t.Error("unlocked twice without an error")
	}
}

func BenchmarkImages(b *testing.B) {
	f := begin(b)
	for range 3 {
		overwrite(b, f, strings.Repeat("v", 64), true)
	}
	images := 0
	for b.Loop() {
		for range f.Images(crashfs.AnySubset, crashfs.Outcomes{}) {
			images++
		}
	}
	b.ReportMetric(float64(images)/b.Elapsed().Seconds(), "images/s")
}
