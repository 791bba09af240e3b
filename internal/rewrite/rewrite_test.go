package rewrite_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/rewrite"
)

// put makes a file and returns its path.
func put(t *testing.T, dir, name, data string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(data), 0o640)); err != nil {
		t.Fatal(err)
	}
	return path
}

func check(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s: %q, %v; want %q", path, got, err, want)
	}
	if info, err := os.Stat(path); err == nil && info.Mode().Perm() != 0o640 {
		t.Errorf("%s: mode %v", path, info.Mode())
	}
}

func TestInPlace(t *testing.T) {
	for name, test := range map[string]struct{ file, link, backups string }{
		"plain":   {file: "cpu_manager_state", backups: "."},
		"link":    {file: "deep/cpu_manager_state", link: "cpu_manager_state", backups: "deep"},
		"devices": {file: "device-plugins/kubelet_internal_checkpoint", backups: "."},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := put(t, dir, test.file, "old")
			path := file
			if test.link != "" {
				path = filepath.Join(dir, test.link)
				if err := os.Symlink(file, path); err != nil {
					t.Fatal(err)
				}
			}
			done, err := rewrite.InPlace(path, []byte("old"), []byte("new"))
			if err != nil {
				t.Fatal(err)
			}
			check(t, path, "new")
			check(t, file, "new")
			check(t, done.Backup, "old")
			if filepath.Dir(done.Backup) != filepath.Join(filepath.Dir(file), relative(t, file, dir, test.backups)) ||
				done.Path != file || !bytes.Equal(done.Bytes, []byte("new")) {
				t.Errorf("done: %+v", done)
			}
		})
	}
}

// relative says where backups lie, as seen from the directory of file.
func relative(t *testing.T, file, dir, backups string) string {
	t.Helper()
	rel, err := filepath.Rel(filepath.Dir(file), filepath.Join(dir, backups))
	if err != nil {
		t.Fatal(err)
	}
	return rel
}

// From within its directory, too, a device checkpoint is backed up out of it.
func TestInPlaceByShortName(t *testing.T) {
	dir := t.TempDir()
	file := put(t, dir, "device-plugins/kubelet_internal_checkpoint", "old")
	t.Chdir(filepath.Dir(file))
	done, err := rewrite.InPlace(filepath.Base(file), []byte("old"), []byte("new"))
	if err != nil {
		t.Fatal(err)
	}
	check(t, done.Backup, "old")
	if filepath.Dir(done.Backup) != dir {
		t.Errorf("backup: %q", done.Backup)
	}
}

func TestInPlaceRefuses(t *testing.T) {
	dir := t.TempDir()
	path := put(t, dir, "k", "newer")
	if _, err := rewrite.InPlace(path, []byte("old"), []byte("new")); !errors.Is(err, filestore.ErrChanged) {
		t.Errorf("changed: %v", err)
	}
	check(t, path, "newer")
	if _, err := rewrite.InPlace(filepath.Join(dir, "none"), nil, []byte("new")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	odd := put(t, dir, "a file", "old")
	if _, err := rewrite.InPlace(odd, []byte("old"), []byte("new")); err == nil || !strings.Contains(err.Error(), "another name") {
		t.Errorf("odd name: %v", err)
	}
	check(t, odd, "old")
	if names, err := filepath.Glob(filepath.Join(dir, "*backup*")); err != nil || len(names) > 0 {
		t.Errorf("backups: %q, %v", names, err)
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	done, err := rewrite.File(path, []byte("one"))
	if err != nil || done.Backup != "" || string(done.Bytes) != "one" {
		t.Fatalf("new: %+v, %v", done, err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if done, err = rewrite.File(path, []byte("two")); err != nil {
		t.Fatal(err)
	}
	check(t, path, "two")
	check(t, done.Backup, "one")
	if names, err := os.ReadDir(dir); err != nil || len(names) != 2 {
		t.Errorf("left behind: %v, %v", names, err)
	}
	if _, err := rewrite.File(filepath.Join(dir, "none", "out"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
	if _, err := rewrite.File(filepath.Join(path, "out"), nil); err == nil {
		t.Error("a file as directory")
	}
	if _, err := rewrite.File(dir, []byte("x")); err == nil {
		t.Error("a directory as file")
	}
}
