package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kubeckpt/ckpt/internal/oracle"
)

// The files without a checksum are those with one, less the checksum.
func TestDerive(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "testdata", "kubelets")
	goldens, err := oracle.ReadGoldens(dir)
	if err != nil {
		t.Fatal(err)
	}
	bases := map[string][]byte{}
	for _, g := range goldens {
		b, err := os.ReadFile(filepath.Join(dir, g.File))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range g.Writers {
			bases[g.Base(w)] = b
		}
	}
	n := 0
	for _, g := range goldens {
		for _, w := range g.Writers {
			if w.Origin != "hand-made" {
				continue
			}
			n++
			got, err := derive(w, g.Kind, bases)
			if err != nil || string(got) != string(bases[g.Base(w)]) {
				t.Errorf("%s: %s %v", g.Base(w), got, err)
			}
		}
	}
	if n != 44 {
		t.Errorf("%d derived files, the index had 44", n)
	}
	if _, err := derive(oracle.Writer{Writer: "1.37.2", Case: "derived-no-checksum.gone"}, "cpu", bases); err == nil {
		t.Error("derived of a file that there is not")
	}
}
