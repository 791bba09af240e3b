package input

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// maze is a root with three links that can be made to say anything.
type maze struct {
	root  string
	links []string
}

func newMaze(t testing.TB) maze {
	dir := put(t, "outside", "outside", "file", "outside", "host/file", "inside", "host/a/b/file", "inside")
	root := filepath.Join(dir, "host")
	return maze{root, []string{filepath.Join(root, "a/one"), filepath.Join(root, "two"), filepath.Join(root, "a/b/three")}}
}

// words are what a path in the maze is made of. Raw bytes would seldom name
// anything there.
var words = []string{"a", "b", "one", "two", "three", "file", "..", "..", ".", "", "outside", "host", "none", "a/one", "/two", "a/b/three"}

// spell makes a path of one word for each byte. A last byte of 0xff makes the
// other bytes the path itself.
func spell(b []byte) string {
	if n := len(b); n > 0 && b[n-1] == 0xff {
		return string(b[:n-1])
	}
	var parts []string
	for _, c := range b {
		parts = append(parts, words[int(c)%len(words)])
	}
	return strings.Join(parts, "/")
}

// try walks one path by every backend. None may find what is beside the root,
// nor may they disagree with each other or, where there is one, with the kernel.
func (m maze) try(t *testing.T, path string, targets ...string) {
	for _, s := range append(targets, path) {
		if strings.ContainsRune(s, 0) || len(s) > 1000 {
			return
		}
	}
	for i, link := range m.links {
		os.Remove(link)
		if targets[i] != "" {
			if err := os.Symlink(targets[i], link); err != nil {
				t.Skip(err)
			}
		}
	}
	var answers []string
	for name, open := range backends {
		got, err := readVia(open, m.root, path)
		if got == "outside" {
			t.Errorf("%s: %q with links %q leads outside", name, path, targets)
		}
		if err := differsFromKernel(open, m.root, path); err != nil {
			t.Errorf("%s: %q with links %q: %v", name, path, targets, err)
		}
		if err != nil {
			got = string(systemError("x", err).Reason)
		}
		answers = append(answers, got)
	}
	if len(slices.Compact(answers)) != 1 {
		t.Errorf("%q with links %q gives %q", path, targets, answers)
	}
}

func TestRandomPaths(t *testing.T) {
	m := newMaze(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	random := func() string {
		b := make([]byte, rnd.IntN(7))
		for i := range b {
			b[i] = byte(rnd.IntN(len(words)))
		}
		return spell(b)
	}
	for range 3000 {
		m.try(t, random(), random(), random(), random())
	}
}

func FuzzRoot(f *testing.F) {
	f.Add([]byte{9, 0, 1, 5}, []byte{0}, []byte{}, []byte{6, 6, 6, 10})
	f.Add([]byte{13, 5}, []byte{6, 6}, []byte{14, 8}, []byte{15})
	f.Add([]byte{3, 9}, []byte{9, 9, 3}, []byte{6, 2}, []byte{4, 9})
	f.Add([]byte("/two/file\xff"), []byte("..\\\xff"), []byte("./.././\xff"), []byte("/proc/self/root\xff"))
	m := newMaze(f)
	f.Fuzz(func(t *testing.T, path, one, two, three []byte) {
		m.try(t, spell(path), spell(one), spell(two), spell(three))
	})
}
