package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"
)

func TestFind(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":               "module m",
		"a/a_test.go":          "package a\n\nfunc FuzzB(f *testing.F) {}\nfunc FuzzA(f *testing.F) {}\n",
		"a/a.go":               "package a\n\nfunc FuzzNoTest(int) {}\n",
		"other/go.mod":         "module other",
		"other/o_test.go":      "package o\n\nfunc FuzzOther(f *testing.F) {}\n",
		"a/testdata/t_test.go": "package t\n\nfunc FuzzData(f *testing.F) {}\n",
		"a/b/nothing_test.go":  "package b\n\nfunc TestX(t *testing.T) {}\n",
		".hidden/hide_test.go": "package h\n\nfunc FuzzHidden(f *testing.F) {}\n",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := find(root)
	if err != nil {
		t.Fatal(err)
	}
	if want := []target{{dir: "./a", name: "FuzzA"}, {dir: "./a", name: "FuzzB"}}; !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
}

func TestPlan(t *testing.T) {
	all := []target{{dir: "./a", name: "FuzzKey"}, {dir: "./a", name: "FuzzB"}, {dir: "./c", name: "FuzzC"}}
	tests := []struct {
		name, only string
		total      time.Duration
		want       []time.Duration
	}{
		{"time enough", "", time.Hour, []time.Duration{30 * time.Second, 5 * time.Second, 5 * time.Second}},
		{"the others share what is left", "", 34 * time.Second, []time.Duration{30 * time.Second, 2 * time.Second, 2 * time.Second}},
		{"nothing is left", "", 10 * time.Second, []time.Duration{30 * time.Second, time.Second, time.Second}},
		{"only one", "FuzzB", time.Hour, []time.Duration{5 * time.Second}},
		{"none", "FuzzZ", time.Hour, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []time.Duration
			for _, p := range plan(all, 30*time.Second, 5*time.Second, tt.total, regexp.MustCompile("Key"), regexp.MustCompile(tt.only)) {
				got = append(got, p.time)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("plan gives %v, want %v", got, tt.want)
			}
		})
	}
}
