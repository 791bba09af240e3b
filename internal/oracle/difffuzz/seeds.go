package main

import (
	"os"
	"path/filepath"

	"github.com/kubeckpt/ckpt/internal/oracle"
)

// seeds reads what testdata has: the genuine files, the changed ones, and
// those from public reports.
func seeds(testdata string) ([]file, error) {
	var pool []file
	goldens, err := oracle.ReadGoldens(filepath.Join(testdata, "kubelets"))
	if err != nil {
		return nil, err
	}
	base := map[string]string{} // one of each kind, for files that have none
	for _, g := range goldens {
		b, err := os.ReadFile(filepath.Join(testdata, "kubelets", g.File))
		if err != nil {
			return nil, err
		}
		base[g.Kind] = g.Base(g.Writers[0])
		pool = append(pool, file{oracle.Case{Kind: g.Kind, Policy: policyOr(g.Policy), Containers: g.Containers, Blob: b}, base[g.Kind]})
	}
	// Genuine files are worth more: everything else began as one.
	pool = append(pool, pool...)
	paths, err := filepath.Glob(filepath.Join(testdata, "mutations", "*.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	paths = append(paths, filepath.Join(testdata, "reports", "verdicts.jsonl.gz"))
	for _, path := range paths {
		rows, err := oracle.ReadRows(path)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			f := file{oracle.Case{Kind: r.Kind, Policy: policyOr(r.Policy), Containers: r.Containers, Blob: r.Blob()}, r.Base}
			if f.base == "" {
				f.base = base[f.Kind]
			}
			pool = append(pool, f)
		}
	}
	return pool, nil
}

func policyOr(p string) string {
	if p == "" {
		return "static"
	}
	return p
}

func cases(files []file) []oracle.Case {
	out := make([]oracle.Case, len(files))
	for i := range files {
		out[i] = files[i].Case
	}
	return out
}
