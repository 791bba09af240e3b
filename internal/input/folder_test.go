package input

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// kept gives the items of a directory after the sequence has ended, or while it
// still stands at the last of them.
func kept(t *testing.T, r *Reader, dir string, use func([]Item)) {
	t.Helper()
	var items []Item
	for item := range r.Expand([]string{dir}) {
		items = append(items, item)
		if len(items) == 3 {
			use(slices.Clone(items))
		}
	}
	use(items)
}

func texts(t *testing.T, items []Item) string {
	t.Helper()
	var got []string
	for _, item := range items {
		c, err := item.Load(nil)
		if err != nil {
			got = append(got, string(err.(*Error).Reason))
		} else {
			got = append(got, string(c.Bytes))
		}
	}
	return strings.Join(got, " ")
}

// Files of a directory are read as well after the end of the sequence, when the
// directory is closed.
func TestLoadLater(t *testing.T) {
	dir := put(t, "a", "1", "b", "2", "c", "3")
	for _, r := range []*Reader{{}, {Root: dir}} {
		path := dir
		if r.Root != "" {
			path = "/"
		}
		kept(t, r, path, func(items []Item) {
			if got := texts(t, items); got != "1 2 3" {
				t.Errorf("root %q: got %s", r.Root, got)
			}
		})
	}
}

// Backups are left out where other files are.
func TestBackups(t *testing.T) {
	dir := put(t, "some/a", "new", "some/a.bak-1", "old", "only/a.bak-1", "old", "only/.hidden", "x")
	t.Chdir(dir)
	r := &Reader{BackupMark: ".bak-"}
	expect(t, r, []string{"some", "only", "some/a.bak-1"}, "some/a = new", "only/a.bak-1 = old", "some/a.bak-1 = old")
	expect(t, &Reader{}, []string{"some"}, "some/a = new", "some/a.bak-1 = old")
}

// What a directory was listed with may be something else when it is loaded.
func TestSwapAfterList(t *testing.T) {
	for _, rooted := range []bool{false, true} {
		dir := put(t, "secret", "outside", "host/a", "1", "host/b", "2", "host/c", "3")
		r, path := &Reader{}, filepath.Join(dir, "host")
		if rooted {
			r, path = &Reader{Root: path}, "/"
		}
		done := false
		kept(t, r, path, func(items []Item) {
			if !done {
				done = true
				swapAll(t, filepath.Join(dir, "host"))
			}
			want := "directory outside missing"
			if rooted {
				want = "directory dangling-link missing"
			}
			if got := texts(t, items); got != want {
				t.Errorf("rooted %t: got %s, want %s", rooted, got, want)
			}
		})
	}
}

// swapAll makes a directory of a, a link that leads out of b, and removes c.
func swapAll(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"a", "b", "c"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	putIn(t, dir, "a/", "", "b", "->../secret")
}

// The list is not believed for long.
func TestOldList(t *testing.T) {
	dir := put(t, "a", "1")
	for item := range (&Reader{}).Expand([]string{dir}) {
		if item.dir == nil {
			t.Skip("lists have no types here")
		}
		if !item.dir.enter() {
			t.Error("a new list is not believed")
		}
		item.dir.leave()
		item.dir.listed = time.Now().Add(-2 * trusted)
		if item.dir.enter() {
			t.Error("an old list is believed")
		}
		if got := texts(t, []Item{item}); got != "1" {
			t.Errorf("got %s", got)
		}
	}
}

// A folder is closed when all have left, and stays so.
func TestFolderCloses(t *testing.T) {
	f := &closing{}
	d := newFolder(f)
	if !d.enter() {
		t.Fatal("cannot be entered")
	}
	d.leave()
	if f.closed != 0 {
		t.Error("closed while in use")
	}
	d.leave()
	if f.closed != 1 || d.enter() {
		t.Errorf("closed %d times, or can be entered after that", f.closed)
	}
}

type closing struct {
	file
	closed int
}

func (c *closing) Close() error { c.closed++; return nil }

// counting counts reads.
type counting struct {
	io.Reader
	reads int
}

func (c *counting) Read(p []byte) (int, error) { c.reads++; return c.Reader.Read(p) }

// A file of the size that it says is read at once; another to its end.
func TestReads(t *testing.T) {
	for size, reads := range map[int64]int{0: 2, 3: 2, 5: 1, 9: 2} {
		src := &counting{Reader: strings.NewReader("12345")}
		b, err := (&Reader{}).fill("f", nil, src, size)
		if err != nil || string(b) != "12345" || src.reads != reads {
			t.Errorf("size %d: got %q, %v in %d reads, want %d", size, b, err, src.reads, reads)
		}
	}
}
