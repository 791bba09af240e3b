package main

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
)

func copies(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: copies N FILE DIR")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	b, err := os.ReadFile(ts.MkAbs(args[1]))
	ts.Check(err)
	for i := range n {
		name := fmt.Sprintf("%04d-%s", i, filepath.Base(args[1]))
		ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[2]), name), b, 0o600))
	}
}

func nuls(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: nuls N FILE")
	}
	n, err := strconv.ParseInt(args[0], 10, 64)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), nil, 0o600))
	ts.Check(os.Truncate(ts.MkAbs(args[1]), n))
}

func archive(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: archive FILE NAME...")
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range args[1:] {
		ts.Check(w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: 3}))
		_, err := w.Write([]byte("{}\n"))
		ts.Check(err)
	}
	ts.Check(w.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o600))
}
