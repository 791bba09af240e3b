package oracle

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"unicode/utf8"
)

// Row is a file with what every kubelet said of it: a line of
// testdata/mutations/*.jsonl.gz and testdata/reports/verdicts.jsonl.gz.
type Row struct {
	Name       string               `json:"name"`
	Base       string               `json:"base,omitempty"`     // the genuine file that was changed: KIND/PATCH/CASE.json
	FileName   string               `json:"fileName,omitempty"` // on the node
	Kind       string               `json:"kind"`
	Policy     string               `json:"policy"`
	Containers map[string][2]string `json:"containers,omitempty"`
	Content    *string              `json:"content,omitempty"` // the file, or else B64
	B64        []byte               `json:"b64,omitempty"`
	Kubelets   map[string]RowAnswer `json:"kubelets"` // by Setting.Label
}

// RowAnswer is the part of an Answer that a Row keeps.
type RowAnswer struct {
	Accepted  bool   `json:"accepted"`
	Error     string `json:"error,omitempty"`
	SameState bool   `json:"sameStateAsUnmutated,omitempty"` // as restored from Base
	Panic     bool   `json:"panic,omitempty"`
}

// Blob returns the bytes of the file.
func (r *Row) Blob() []byte {
	if r.Content != nil {
		return []byte(*r.Content)
	}
	return r.B64
}

// SetBlob stores the bytes as text if they are text.
func (r *Row) SetBlob(b []byte) {
	r.Content, r.B64 = nil, nil
	if utf8.Valid(b) && len(b) > 0 {
		s := string(b)
		r.Content = &s
		return
	}
	r.B64 = b
}

// ReadRows reads a file of rows.
func ReadRows(path string) ([]Row, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var rows []Row
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var r Row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, len(rows)+1, err)
		}
		rows = append(rows, r)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rows, nil
}

// WriteRows writes a file of rows. The same rows give the same bytes.
func WriteRows(path string, rows []Row) error {
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	enc := json.NewEncoder(z)
	enc.SetEscapeHTML(false)
	for i := range rows {
		if err := enc.Encode(&rows[i]); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, buf.Bytes(), 0o644)
}

// Golden is a file that real kubelets wrote: an entry of
// testdata/kubelets/index.json.
type Golden struct {
	File       string               `json:"file"` // under testdata/kubelets
	Kind       string               `json:"kind"`
	Policy     string               `json:"policy"`
	SHA256     string               `json:"sha256"`
	Writers    []Writer             `json:"writers"`
	State      json.RawMessage      `json:"state"`
	Containers map[string][2]string `json:"containers"`
}

// Writer is one release that wrote exactly these bytes, and how.
type Writer struct {
	Writer string `json:"writer"` // patch release
	Case   string `json:"case"`
	Gates  string `json:"gates"`
	Origin string `json:"origin"`
}

// Base is how rows name a golden written by w.
func (g *Golden) Base(w Writer) string {
	return g.Kind + "/" + w.Writer + "/" + w.Case + ".json"
}

// ReadGoldens reads the index of the goldens in dir.
func ReadGoldens(dir string) ([]Golden, error) {
	b, err := os.ReadFile(filepath.Join(dir, "index.json"))
	if err != nil {
		return nil, err
	}
	var all []Golden
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "index.json"), err)
	}
	return all, nil
}
