package kubelet

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestTableFrozen makes every change of the table a visible one.
func TestTableFrozen(t *testing.T) {
	var got bytes.Buffer
	enc := json.NewEncoder(&got)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	if err := enc.Encode(Formats()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", "formats.golden")
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Errorf("the table has changed (-update if it should):\n%s", d)
	}
}

// TestTableIsComplete: each version has a file, and each file a row.
func TestTableIsComplete(t *testing.T) {
	files, err := filepath.Glob("*_v*.go")
	if err != nil {
		t.Fatal(err)
	}
	inFiles := map[string]bool{}
	name := regexp.MustCompile(`^(\w+?)_(v\d\w*)\.go$`)
	for _, f := range files {
		if m := name.FindStringSubmatch(f); m != nil && m[1] != "allocated_memory" {
			inFiles[m[1]+"/"+m[2]] = true
		}
	}
	for _, f := range Formats() {
		if !inFiles[f.ID] {
			t.Errorf("%s has no file of its own", f.ID)
		}
		delete(inFiles, f.ID)
	}
	for id := range inFiles {
		t.Errorf("%s is not in the index", id)
	}
}

// TestRows checks what must hold of every row.
func TestRows(t *testing.T) {
	for _, k := range tables {
		written := map[*format]bool{}
		for _, f := range k.formats {
			if f.id.Kind != k.kind || f.title == "" || f.shape == "" || f.source == "" || f.content == nil || len(f.sums) == 0 {
				t.Errorf("%s: the row is not complete", f.id)
			}
			if a, b := f.fresh(), f.fresh(); a == b || !reflect.DeepEqual(a, b) {
				t.Errorf("%s: fresh documents are the same or differ", f.id)
			}
			d := f.fresh()
			for i := range f.sums {
				for j := range f.sums[i].spellings {
					if _, err := f.sums[i].text(&f.sums[i].spellings[j], d); err != nil {
						t.Errorf("%s: an empty document has no dump: %v", f.id, err)
					}
				}
			}
			namesCover(t, f, f.docType())
			if f.inner != nil {
				namesCover(t, f, f.inner.typ)
			}
			written[f] = true
		}
		for _, p := range k.paths {
			for _, a := range p.attempts {
				if !written[a.format] {
					t.Errorf("%s: a path reads %s, which is not in the index", k.kind, a.format.id)
				}
				for _, name := range a.sums {
					if a.format.sums[0].spelled(name) == nil {
						t.Errorf("%s: %s has no spelling %s", k.kind, a.format.id, name)
					}
				}
			}
		}
		for _, r := range Releases() {
			if minor(r.Name) >= 29 && k.pathOf(reader{release: r}) == nil {
				t.Errorf("%s: no path for %s", k.kind, r.Name)
			}
		}
	}
}

// namesCover: every type of ours within a document has a printed name, except
// the documents, whose name each spelling and each path gives.
func namesCover(t *testing.T, f *format, typ reflect.Type) {
	t.Helper()
	ours := reflect.TypeFor[Kind]().PkgPath()
	seen := map[reflect.Type]bool{}
	docs := map[reflect.Type]bool{f.docType(): true}
	for i := range f.docType().NumField() {
		docs[f.docType().Field(i).Type] = true // an embedded half, the hashed Data
	}
	var visit func(reflect.Type)
	visit = func(u reflect.Type) {
		if seen[u] {
			return
		}
		seen[u] = true
		if u.PkgPath() == ours && !docs[u] {
			if _, ok := f.names[u]; !ok {
				t.Errorf("%s: type %s has no printed name", f.id, u)
			}
		}
		switch u.Kind() {
		case reflect.Pointer, reflect.Slice:
			visit(u.Elem())
		case reflect.Map:
			visit(u.Key())
			visit(u.Elem())
		case reflect.Struct:
			for i := range u.NumField() {
				if field := u.Field(i); field.IsExported() || field.Anonymous {
					visit(field.Type)
				}
			}
		}
	}
	visit(typ)
}
