package input

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// expect loads all that paths stand for, each as "name = text" or "name: reason".
func expect(t *testing.T, r *Reader, paths []string, want ...string) {
	t.Helper()
	var got []string
	var buf []byte
	for item := range r.Expand(paths) {
		c, err := item.Load(buf)
		if err != nil {
			got = append(got, fmt.Sprintf("%s: %s", item.Name, err.(*Error).Reason))
		} else {
			got = append(got, fmt.Sprintf("%s = %s", item.Name, c.Bytes))
		}
		buf = c.Bytes
	}
	if !slices.Equal(got, want) {
		t.Errorf("Expand(%q):\n got %q\nwant %q", paths, got, want)
	}
}

func TestExpand(t *testing.T) {
	dir := put(t,
		"kubelet/cpu_manager_state", "cpu",
		"kubelet/memory_manager_state", "->gone",
		"kubelet/device-plugins/kubelet_internal_checkpoint", "dev",
		"kubelet/dra_manager_state/", "",
		"kubelet/config.yaml", "no checkpoint",
		"collected/node2", "two",
		"collected/node10", "ten",
		"collected/node1", "one",
		"collected/link", "->node1",
		"collected/broken", "->gone",
		"collected/dirlink", "->sub",
		"collected/.hidden", "x",
		"collected/sub/file", "x",
		"empty/", "",
		"onlydirs/a/f", "x",
		"onlydirs/.hidden", "x",
		"tolink", "->collected",
		"flat/device-plugins", "a file",
	)
	known := []string{"cpu_manager_state", "memory_manager_state", "dra_manager_state", "allocated_pods_state", "device-plugins/kubelet_internal_checkpoint"}
	t.Chdir(dir)
	collected := func(prefix string) []string {
		return []string{prefix + "broken: dangling-link", prefix + "link = one", prefix + "node1 = one", prefix + "node10 = ten", prefix + "node2 = two"}
	}
	tests := []struct {
		name  string
		paths []string
		want  []string
	}{
		{"nothing", nil, nil},
		{"a file", []string{"collected/node1"}, []string{"collected/node1 = one"}},
		{"the same twice", []string{"collected/node1", "collected/node1"}, []string{"collected/node1 = one", "collected/node1 = one"}},
		{"the kubelet's directory", []string{"kubelet"}, []string{
			"kubelet/cpu_manager_state = cpu",
			"kubelet/memory_manager_state: dangling-link",
			"kubelet/dra_manager_state: directory",
			"kubelet/device-plugins/kubelet_internal_checkpoint = dev",
		}},
		{"collected files", []string{"collected/"}, collected("collected/")},
		{"a link to a directory", []string{"tolink"}, collected("tolink/")},
		{"a path that is not clean", []string{"tolink/../collected"}, collected("tolink/../collected/")},
		{"one bad path among others", []string{"gone", "collected/node1", "gone/too", "collected/node2"},
			[]string{"gone: missing", "collected/node1 = one", "gone/too: missing", "collected/node2 = two"}},
		{"a file where a known file's directory would be", []string{"flat"}, []string{"flat/device-plugins = a file"}},
		{"an empty directory", []string{"empty"}, []string{"empty: no-files"}},
		{"only directories and hidden files", []string{"onlydirs"}, []string{"onlydirs: no-files"}},
		{"a hidden file by name", []string{"onlydirs/.hidden"}, []string{"onlydirs/.hidden = x"}},
		{"standard input", []string{"collected/node1", "-", "collected/node2"}, []string{"collected/node1 = one", "- = piped", "collected/node2 = two"}},
		{"standard input twice", []string{"-", "-"}, []string{"- = piped", "-: stdin-twice"}},
		{"an empty path", []string{""}, []string{": bad-path"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			expect(t, &Reader{Known: known, Stdin: strings.NewReader("piped")}, tt.paths, tt.want...)
		})
		t.Run(tt.name+" under a root", func(t *testing.T) {
			expect(t, &Reader{Root: dir, Known: known, Stdin: strings.NewReader("piped")}, tt.paths, tt.want...)
		})
	}
}

// A file named "-" is not lost.
func TestFileNamedDash(t *testing.T) {
	t.Chdir(put(t, "-", "dash"))
	r := &Reader{Stdin: strings.NewReader("piped")}
	expect(t, r, []string{".", "./-"}, "./- = dash", "./- = dash")
}

func TestExpandStopsWhenAsked(t *testing.T) {
	dir := put(t, "a", "1", "b", "2", "kubelet/known", "3")
	for _, paths := range [][]string{{dir, dir}, {dir + "/kubelet", dir}, {dir + "/a", dir + "/b"}, {"-", "-"}} {
		n := 0
		for range (&Reader{Known: []string{"known"}}).Expand(paths) {
			n++
			break
		}
		if n != 1 {
			t.Errorf("%q gave %d items", paths, n)
		}
	}
}

// Files are looked up as the sequence goes on, so what vanishes is reported.
func TestFileThatVanishes(t *testing.T) {
	dir := put(t, "a", "1", "b", "2", "c", "3")
	var got []string
	for item := range (&Reader{}).Expand([]string{dir}) {
		if err := os.Remove(item.Name); err != nil {
			t.Fatal(err)
		}
		_, err := item.Load(nil)
		wantError(t, err, item.Name, Missing, "does not exist")
		got = append(got, item.Name)
	}
	if len(got) != 3 {
		t.Errorf("got %q", got)
	}
}

func TestTooManyFiles(t *testing.T) {
	dir := put(t, "a", "", ".b", "", "c/", "")
	f, err := openFile(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if entries, err := list(dir, f, 3); err != nil || len(entries) == 0 || entries[0].name != "a" {
		t.Errorf("list of three gave %v, %v", entries, err)
	}
	if f, err = openFile(dir); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, err = list(dir, f, 2)
	wantError(t, err, dir, TooManyFiles, "is a directory with more than 2 entries")
}
