package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
)

// seen is what look saw, by path.
type seen map[string]string

// snapshotsKey is where a script keeps its snapshots, by directory.
type snapshotsKey struct{}

func snapshot(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: snapshot DIR")
	}
	before, err := look(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Value(snapshotsKey{}).(map[string]seen)[ts.MkAbs(args[0])] = before
}

func unchanged(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: unchanged DIR")
	}
	dir := ts.MkAbs(args[0])
	before, ok := ts.Value(snapshotsKey{}).(map[string]seen)[dir]
	if !ok {
		ts.Fatalf("no snapshot of %s", args[0])
	}
	after, err := look(dir)
	ts.Check(err)
	for path, was := range before {
		if after[path] != was {
			ts.Fatalf("%s was\n%s\nand is\n%s", path, was, after[path])
		}
	}
	if len(after) != len(before) {
		ts.Fatalf("%d files, there were %d", len(after), len(before))
	}
}

// look describes everything below dir: names, modes, times, and bytes.
func look(dir string) (seen, error) {
	s := make(seen)
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		text := fmt.Sprintf("%v %d %v", info.Mode(), info.Size(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += " " + strconv.Quote(string(b))
		}
		s[path] = text
		return nil
	})
	return s, err
}
