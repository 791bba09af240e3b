package input

import (
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// during runs step again and again beside the test, until the test ends.
func during(t *testing.T, step func(i int) error) {
	t.Helper()
	var stop atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; !stop.Load(); i++ {
			if err := step(i); err != nil {
				t.Error(err)
				return
			}
		}
	})
	t.Cleanup(func() {
		stop.Store(true)
		wg.Wait()
	})
}

// While a directory, or the file itself, is swapped for links that lead out,
// no read ever comes back with what is outside. A naive join of root and path
// serves as control: as long as it is not fooled, the race is none.
func TestSwappedLinks(t *testing.T) {
	const path = "a/b/state"
	tests := []struct {
		name, swapped string
		up, outside   string // what a relative and an absolute link to the outside say
	}{
		{name: "directory on the way", swapped: "a/b", up: "../../out", outside: "out"},
		{name: "the file", swapped: path, up: "../../../out/state", outside: "out/state"},
	}
	for _, tt := range tests {
		for name, open := range backends {
			t.Run(tt.name+" by "+name, func(t *testing.T) {
				dir := put(t, "out/state", "outside", "host/"+path, "inside")
				root := filepath.Join(dir, "host")
				putIn(t, dir, "spare/up", "->"+tt.up, "spare/abs", "->"+filepath.Join(dir, tt.outside))
				spares := []string{"real", "up", "abs"}
				during(t, func(i int) error {
					place, spare := filepath.Join(root, tt.swapped), filepath.Join(dir, "spare")
					if err := os.Rename(place, filepath.Join(spare, spares[i%3])); err != nil {
						return err
					}
					return os.Rename(filepath.Join(spare, spares[(i+1)%3]), place)
				})
				inside, fooled := 0, 0
				for start, i := time.Now(), 0; i < 3000 || inside == 0 || fooled == 0; i++ {
					got, err := readVia(open, root, path)
					if got == "outside" {
						t.Fatal("the root was left")
					}
					if err == nil && got == "inside" {
						inside++
					}
					if b, _ := os.ReadFile(filepath.Join(root, path)); string(b) == "outside" {
						fooled++
					}
					if time.Since(start) > time.Minute {
						t.Skipf("no race in a minute: %d reads inside, control fooled %d times", inside, fooled)
					}
				}
				t.Logf("%d reads inside, control fooled %d times", inside, fooled)
			})
		}
	}
}

// What was found may be something else when it is opened.
func TestSwapBeforeOpen(t *testing.T) {
	for name, open := range backends {
		for _, by := range []string{"link", "pipe"} {
			dir := put(t, "secret", "outside", "host/state", "inside")
			top, err := open(filepath.Join(dir, "host"))
			if err != nil {
				t.Fatal(err)
			}
			defer top.close()
			file, err := top.child("state")
			if err != nil {
				t.Fatal(err)
			}
			defer file.close()
			state := filepath.Join(dir, "host/state")
			if err := os.Remove(state); err != nil {
				t.Fatal(err)
			}
			if by == "link" {
				err = os.Symlink("../secret", state)
			} else {
				err = syscall.Mkfifo(state, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			within(t, func() {
				f, err := file.open()
				if err != nil {
					return
				}
				defer f.Close()
				if mode, _, err := f.stat(); err != nil || mode.IsRegular() {
					t.Errorf("%s: the %s was followed to a regular file (%v)", name, by, err)
				}
			})
		}
	}
}

// A directory that was found stays the one that is searched, or none is.
func TestSwapBeforeChild(t *testing.T) {
	for name, open := range backends {
		dir := put(t, "out/state", "outside", "host/dir/state", "inside")
		top, err := open(filepath.Join(dir, "host"))
		if err != nil {
			t.Fatal(err)
		}
		defer top.close()
		sub, err := top.child("dir")
		if err != nil {
			t.Fatal(err)
		}
		defer sub.close()
		if err := os.Rename(filepath.Join(dir, "host/dir"), filepath.Join(dir, "host/moved")); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("../out", filepath.Join(dir, "host/dir")); err != nil {
			t.Fatal(err)
		}
		file, err := sub.child("state")
		if err != nil {
			continue
		}
		defer file.close()
		f, err := file.open()
		if err != nil {
			continue
		}
		defer f.Close()
		if b, err := io.ReadAll(f); string(b) != "inside" {
			t.Errorf("%s: read %q, %v", name, b, err)
		}
	}
}

// A file that is replaced by a link to another, atomically, can always be read.
func TestFileReplacedByLink(t *testing.T) {
	root := put(t, "dir/state", "good", "dir/other", "good")
	during(t, func(i int) error {
		next := filepath.Join(root, "dir/next")
		var err error
		if i%2 == 0 {
			err = os.Symlink("other", next)
		} else {
			err = os.WriteFile(next, []byte("good"), 0o600)
		}
		if err != nil {
			return err
		}
		return os.Rename(next, filepath.Join(root, "dir/state"))
	})
	for _, r := range []*Reader{{}, {Root: root}} {
		path := "/dir/state"
		if r.Root == "" {
			path = root + path
		}
		for range 3000 {
			if c, err := r.ReadFile(path, nil); err != nil || string(c.Bytes) != "good" {
				t.Fatalf("root %q: read %q, %v", r.Root, c.Bytes, err)
			}
		}
	}
}
