package filestore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/crashfs"
	"github.com/kubeckpt/ckpt/internal/faultfs"
)

func TestReplace(t *testing.T) {
	for name, test := range map[string]struct {
		there, old string // "" is no file
		data       string
		want       error
		backup     bool
	}{
		"a value":        {"old", "old", "new", nil, true},
		"nothing":        {"", "", "new", nil, false},
		"the same":       {"old", "old", "old", nil, false},
		"changed since":  {"other", "old", "new", filestore.ErrChanged, false},
		"appeared since": {"other", "", "new", filestore.ErrChanged, false},
		"disappeared":    {"", "old", "new", filestore.ErrChanged, false},
		"already done":   {"new", "old", "new", filestore.ErrChanged, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "k")
			bytesOf := func(s string) []byte {
				if s == "" {
					return nil
				}
				return []byte(s)
			}
			if test.there != "" {
				if err := os.WriteFile(path, []byte(test.there), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			backup, err := open(t, dir).Replace("k", bytesOf(test.old), []byte(test.data))
			if !errors.Is(err, test.want) || (backup != "") != test.backup {
				t.Fatalf("Replace: %q, %v", backup, err)
			}
			want := test.data
			if test.want != nil {
				want = test.there
			}
			if got, _ := os.ReadFile(path); string(got) != want {
				t.Errorf("value %q, want %q", got, want)
			}
			if backup == "" {
				return
			}
			got, err := os.ReadFile(backup)
			info, serr := os.Stat(backup)
			if err != nil || serr != nil || string(got) != test.old || info.Mode().Perm() != 0o640 {
				t.Errorf("backup %q: %q, %v, %v, %v", backup, got, info, err, serr)
			}
			if !strings.HasPrefix(filepath.Base(backup), "k"+filestore.BackupMark) {
				t.Errorf("backup is named %q", backup)
			}
		})
	}
}

// Two replacements in one second have two backups, and they lie where they shall.
func TestReplaceBackups(t *testing.T) {
	dir, aside := t.TempDir(), t.TempDir()
	s := open(t, dir, filestore.WithBackupDir(aside))
	var old []byte
	for i := range 4 {
		data := fmt.Append(nil, i)
		backup, err := s.Replace("k", old, data)
		if err != nil || (old != nil) != (backup != "") || old != nil && filepath.Dir(backup) != aside {
			t.Fatalf("%d: backup %q, %v", i, backup, err)
		}
		old = data
	}
	if got := entries(t, aside); len(got) != 3 {
		t.Errorf("backups: %q", got)
	}
}

func replaceDisk(t *testing.T) *crashfs.FS {
	t.Helper()
	disk := crashfs.New()
	if err := errors.Join(disk.Mkdir(storeDir, 0o755), afero.WriteFile(disk, storeDir+"/k", []byte("old"), 0o640)); err != nil {
		t.Fatal(err)
	}
	disk.Checkpoint()
	return disk
}

// oldIsThere says whether what was replaced can still be had.
func oldIsThere(fs *crashfs.FS, replaced bool) error {
	got, err := afero.ReadFile(fs, storeDir+"/k")
	switch {
	case err != nil:
		return err
	case string(got) == "old" && !replaced:
		return nil
	case string(got) != "new":
		return fmt.Errorf("value %q", got)
	}
	backups, err := afero.Glob(fs, storeDir+"/k"+filestore.BackupMark+"*")
	if err != nil || len(backups) != 1 {
		return fmt.Errorf("backups %q, %v", backups, err)
	}
	if got, err := afero.ReadFile(fs, backups[0]); err != nil || string(got) != "old" {
		return fmt.Errorf("backup %q, %v", got, err)
	}
	return nil
}

func TestReplaceLosesNothingInACrash(t *testing.T) {
	disk := replaceDisk(t)
	if _, err := open(t, storeDir, filestore.WithFS(disk)).Replace("k", []byte("old"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	disk.Mark(0)
	r := crashfs.Explore(disk, crashfs.AnySubset, crashfs.Outcomes{}, func(img crashfs.Image) error {
		return oldIsThere(img.FS, len(img.Acked) > 0)
	})
	t.Logf("%d points, %d images", r.Points, r.Images)
	if r.Violations != 0 {
		t.Errorf("%d violations: %v", r.Violations, r.First)
	}
	if r.Images < 50 {
		t.Errorf("only %d images: the exploration has lost its reach", r.Images)
	}
}

func TestReplaceLosesNothingInAFault(t *testing.T) {
	for call := 1; ; call++ {
		disk := replaceDisk(t)
		faulty := faultfs.Wrap(disk)
		s := open(t, storeDir, filestore.WithFS(faulty))
		faulty.Inject(faultfs.Rule{From: call, Err: errFault})
		_, err := s.Replace("k", []byte("old"), []byte("new"))
		if strings.Contains(fmt.Sprint(err), "\n") {
			t.Errorf("call %d fails: not one line: %q", call, err)
		}
		if err := oldIsThere(disk, err == nil); err != nil {
			t.Errorf("call %d fails: %v", call, err)
		}
		if faulty.Fired() == 0 {
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d calls failed one by one", call-1)
			return
		}
	}
}

var errFault = errors.New("injected")
