package filestore_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/kubeckpt/ckpt/filestore"
)

// linked makes a store directory in which key k is a link to a file elsewhere.
func linked(t *testing.T) (dir, target string) {
	t.Helper()
	root := t.TempDir()
	dir, target = filepath.Join(root, "store"), filepath.Join(root, "elsewhere", "file")
	for _, d := range []string{dir, filepath.Dir(target)} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(target, []byte("target"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../elsewhere/file", filepath.Join(dir, "k")); err != nil {
		t.Skip(err)
	}
	return dir, target
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func isLink(t *testing.T, path string) bool {
	t.Helper()
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

func TestRefuseSymlinks(t *testing.T) {
	dir, target := linked(t)
	s := open(t, dir)
	for name, err := range map[string]error{
		"write":  s.Write("k", []byte("new")),
		"delete": s.Delete("k"),
		"read":   func() error { _, err := s.Read("k"); return err }(),
		"update": s.Update("k", func([]byte) ([]byte, error) { return []byte("new"), nil }),
	} {
		var irregular *filestore.NotRegularError
		if !errors.As(err, &irregular) || irregular.Mode&fs.ModeSymlink == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !isLink(t, filepath.Join(dir, "k")) || content(t, target) != "target" {
		t.Error("the link or its target has changed")
	}
}

func TestFollowSymlinks(t *testing.T) {
	dir, target := linked(t)
	s := open(t, dir, filestore.WithSymlinks(filestore.FollowSymlinks))
	wantValue(t, s, "k", "target")
	write(t, s, "k", "new")
	wantValue(t, s, "k", "new")
	if !isLink(t, filepath.Join(dir, "k")) || content(t, target) != "new" {
		t.Error("the target was not what was written")
	}
	if got := entries(t, filepath.Dir(target)); !slices.Equal(got, []string{"file"}) {
		t.Errorf("beside the target: %q", got)
	}
	if err := s.Delete("k"); err != nil {
		t.Fatal(err)
	}
	if content(t, target) != "new" || isLink(t, filepath.Join(dir, "k")) {
		t.Error("Delete has to remove the link only")
	}
	// A link to nothing is a place to write to.
	if err := os.Symlink(target+"2", filepath.Join(dir, "dangling")); err != nil {
		t.Fatal(err)
	}
	write(t, s, "dangling", "there")
	if content(t, target+"2") != "there" {
		t.Error("not written through the dangling link")
	}
}

func TestReplaceSymlinks(t *testing.T) {
	dir, target := linked(t)
	s := open(t, dir, filestore.WithSymlinks(filestore.ReplaceSymlinks))
	wantValue(t, s, "k", "target")
	write(t, s, "k", "new")
	wantValue(t, s, "k", "new")
	if isLink(t, filepath.Join(dir, "k")) || content(t, target) != "target" {
		t.Error("the link has to be replaced and its target left alone")
	}
}

func TestSymlinkLoop(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Skip(err)
	}
	s := open(t, dir, filestore.WithSymlinks(filestore.FollowSymlinks))
	if _, err := s.Read("loop"); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("Read: %v", err)
	}
	if err := s.Write("loop", nil); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("Write: %v", err)
	}
}

func TestLinkedDirectory(t *testing.T) {
	root := t.TempDir()
	real, link := filepath.Join(root, "real"), filepath.Join(root, "link")
	if err := os.Mkdir(real, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	write(t, open(t, link), "k", "v")
	if content(t, filepath.Join(real, "k")) != "v" {
		t.Error("not written where the link of the directory points")
	}
	if _, err := filestore.Open(filepath.Join(root, "dangling", "x")); err != nil {
		t.Error(err)
	}
	if err := os.Symlink("gone", filepath.Join(root, "broken")); err != nil {
		t.Fatal(err)
	}
	if _, err := filestore.Open(filepath.Join(root, "broken")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Open of a dangling link: %v", err)
	}
}
