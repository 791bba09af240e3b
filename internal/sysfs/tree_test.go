package sysfs

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var spanOf = regexp.MustCompile(`\[(\d+)-(\d+)\]`)

// plant makes in dir the files and links that text lists, one a line:
//
//	sys/…/cpu[0-3]/topology/core_id = 0 | 1
//	sys/…/node0/cpu[0-3] -> ../../cpu/cpu[0-3]
//
// A range stands for one line each; of the values divided by |, each line
// takes the next, and begins anew after the last.
func plant(t testing.TB, dir, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		path, values, isFile := strings.Cut(line, " = ")
		if isFile {
			all := strings.Split(values, " | ")
			for i, p := range expand(path) {
				write(t, filepath.Join(dir, p), strings.ReplaceAll(all[i%len(all)], `\n`, "\n")+"\n")
			}
			continue
		}
		path, target, ok := strings.Cut(line, " -> ")
		if !ok {
			t.Fatalf("neither a file nor a link: %q", line)
		}
		targets := expand(target)
		for i, p := range expand(path) {
			to := filepath.Join(dir, p)
			must(t, os.MkdirAll(filepath.Dir(to), 0o755))
			must(t, os.Symlink(targets[i%len(targets)], to))
			// What a link of the kernel leads to is there.
			must(t, os.MkdirAll(filepath.Join(filepath.Dir(to), targets[i%len(targets)]), 0o755))
		}
	}
}

func expand(path string) (all []string) {
	at := spanOf.FindStringSubmatchIndex(path)
	if at == nil {
		return []string{path}
	}
	first, _ := strconv.Atoi(path[at[2]:at[3]])
	last, _ := strconv.Atoi(path[at[4]:at[5]])
	for i := first; i <= last; i++ {
		all = append(all, expand(path[:at[0]]+strconv.Itoa(i)+path[at[1]:])...)
	}
	return all
}

func write(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o444))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// read reads the tree below dir.
func read(t testing.TB, dir string) (Reading, error) {
	t.Helper()
	sys, err := OpenDirIn(dir, "sys")
	must(t, err)
	defer sys.Close()
	proc, err := OpenDir(filepath.Join(dir, "proc"))
	must(t, err)
	defer proc.Close()
	return Read(sys, proc)
}
