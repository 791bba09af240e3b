package filestore_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubeckpt/ckpt/internal/crashfs"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var tempName = regexp.MustCompile(`\.ckpt-(\w+)-[0-9a-f]{16}\.tmp`)

// story tells what may be on the disk after a crash at each point of a workload.
func story(w workload) (string, error) {
	fs, err := w.run(ours)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	trace := fs.Trace()
	at := -1
	for img := range fs.Images(crashfs.AnySubset, crashfs.Outcomes{}) {
		if img.After != at {
			at = img.After
			what := "nothing"
			if at > 0 {
				what = trace[at-1].String()
			}
			fmt.Fprintf(&b, "after %s\n", what)
		}
		var files []string
		for file := range strings.SplitSeq(strings.TrimPrefix(img.FS.String(), "-- "), "\n-- ") {
			if name, value, ok := strings.Cut(file, " --\n"); ok {
				value = strings.TrimSuffix(value, "\n") // quoted already
				files = append(files, fmt.Sprintf(`%s="%s"`, strings.TrimPrefix(name, storeDir+"/"), value))
			}
		}
		if _, err := img.FS.Stat(storeDir); err != nil {
			files = []string{"no directory"}
		} else if len(files) == 0 {
			files = []string{"no file"}
		}
		fmt.Fprintf(&b, "\t%s\n", strings.Join(files, "  "))
	}
	return tempName.ReplaceAllString(b.String(), "TEMP-$1"), nil
}

// The states of the disk, for a person to read and to be asked about any change.
func TestStatesOfTheDisk(t *testing.T) {
	for name, w := range map[string]workload{
		"first-put": {before: state{}, steps: []step{put("k", "NEW!")}},
		"overwrite": {before: state{"k": "old!"}, steps: []step{put("k", "NEW!")}},
		"delete":    {before: state{"k": "old!"}, steps: []step{del("k")}},
		"new-dir":   {before: state{}, noDir: true, steps: []step{put("k", "NEW!")}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := story(w)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", "crash", name+".txt")
			if *update {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("states have changed (-want +got):\n%s", d)
			}
		})
	}
}
