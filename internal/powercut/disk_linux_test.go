package powercut_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kubeckpt/ckpt/internal/powercut"
)

func write(t *testing.T, path, value string, sync bool) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(value); err != nil {
		t.Fatal(err)
	}
	if sync {
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
	}
}

// The cut has to be one: what was synced stays, what was not is lost.
func TestCutLosesWhatIsNotSynced(t *testing.T) {
	for _, fsType := range []string{"ext4", "xfs"} {
		t.Run(fsType, func(t *testing.T) {
			d, err := powercut.New(t.TempDir(), fsType, "")
			if err != nil {
				t.Skip(err)
			}
			defer func() {
				if err := d.Close(); err != nil {
					t.Error(err)
				}
			}()
			write(t, filepath.Join(d.Dir(), "synced"), "value", true)
			write(t, filepath.Join(d.Dir(), "unsynced"), "value", false)
			if err := d.Cut(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Create(filepath.Join(d.Dir(), "after")); err == nil {
				t.Error("a file was made without power")
			}
			if err := d.Restart(); err != nil {
				t.Fatal(err)
			}
			if b, err := os.ReadFile(filepath.Join(d.Dir(), "synced")); err != nil || string(b) != "value" {
				t.Errorf("synced file: %q, %v", b, err)
			}
			if b, _ := os.ReadFile(filepath.Join(d.Dir(), "unsynced")); string(b) == "value" {
				t.Errorf("unsynced file: %q", b)
			}
		})
	}
}
