package input

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
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

// swapper swaps something right before the turn-th question of a walk to the file
// system, and counts on.
type swapper struct {
	step
	*swap
}

type swap struct {
	turn  int
	do    func()
	asked int
}

func (s *swap) ask() {
	if s.asked++; s.asked == s.turn {
		s.do()
	}
}

func (s swapper) child(name string) (step, error) {
	s.ask()
	next, err := s.step.child(name)
	if err != nil {
		return nil, err
	}
	return swapper{next, s.swap}, nil
}

func (s swapper) target() (string, error) {
	s.ask()
	return s.step.target()
}

func (s swapper) open() (file, error) {
	s.ask()
	return s.step.open()
}

// Whenever during a read a directory, or the file itself, is swapped for a link
// that leads out, what comes back is never what is outside.
func TestSwappedLinks(t *testing.T) {
	const path = "a/b/state"
	tests := []struct {
		name, swapped string
		links         []string // what a relative and an absolute link to the outside say
	}{
		{"directory on the way", "a/b", []string{"../../out", "DIR/out"}},
		{"the file", path, []string{"../../../out/state", "DIR/out/state"}},
	}
	for _, tt := range tests {
		for name, open := range backends {
			for _, link := range tt.links {
				t.Run(tt.name+" by "+name, func(t *testing.T) {
					for turn := 1; ; turn++ {
						dir := put(t, "out/state", "outside", "host/"+path, "inside")
						root := filepath.Join(dir, "host")
						s := &swap{turn: turn, do: func() {
							place := filepath.Join(root, tt.swapped)
							err := errors.Join(os.Rename(place, filepath.Join(dir, "was")), os.Symlink(strings.Replace(link, "DIR", dir, 1), place))
							if b, _ := os.ReadFile(filepath.Join(root, path)); err != nil || string(b) != "outside" {
								t.Fatalf("the link does not lead out: %q, %v", b, err)
							}
						}}
						got, err := readVia(func(root string) (step, error) {
							top, err := open(root)
							return swapper{top, s}, err
						}, root, path)
						if got == "outside" {
							t.Fatalf("the root was left when the swap came before question %d", turn)
						}
						if s.asked < turn {
							if err != nil || got != "inside" || turn < 5 { // three names and an open
								t.Fatalf("undisturbed: %q, %v, %d questions", got, err, s.asked)
							}
							break
						}
					}
				})
			}
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
