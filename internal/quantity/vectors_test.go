package quantity

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checksum"
	"k8s.io/utils/dump"
)

// TestVectors runs what apimachinery 0.30 and 0.37 say of the same inputs, see
// testdata/generate.
func TestVectors(t *testing.T) {
	f, err := os.Open("testdata/vectors.tsv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	lines := bufio.NewScanner(zr)
	for ; lines.Scan(); n++ {
		via, rest, _ := strings.Cut(lines.Text(), "\t")
		fields := strings.Split(rest, "\t")
		for i, field := range fields {
			if fields[i], err = strconv.Unquote(field); err != nil {
				t.Fatalf("line %d: %q: %v", n+1, field, err)
			}
		}
		inputs, want := fields[:len(fields)-3], fields[len(fields)-3:]

		var q Quantity
		text := ""
		for _, in := range inputs {
			if err := decode(via, in, &q); err != nil {
				text = err.Error()
			}
		}
		encoded, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		if ours, err := checksum.Dump(q, PrintedNames()); err != nil || ours != want[2] {
			t.Errorf("%s %q: checksum.Dump gives\n%s, %v, want\n%s", via, inputs, ours, err, want[2])
		}
		for i, got := range []string{text, string(encoded), printed(q)} {
			if got != want[i] {
				t.Errorf("%s %q: got\n%s, want\n%s", via, inputs, got, want[i])
			}
		}
	}
	if err := zr.Close(); err != nil {
		t.Fatal(err)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if n < 10000 {
		t.Errorf("only %d vectors", n)
	}
}

func decode(via, in string, q *Quantity) error {
	if via == "raw" {
		return q.UnmarshalJSON([]byte(in))
	}
	return json.Unmarshal([]byte(in), q)
}

// printed is the dump of q under the kubelet's type names.
func printed(q Quantity) string {
	var pairs []string
	for t, name := range PrintedNames() {
		pairs = append(pairs, "("+t.String()+")", "("+name+")", "(*"+t.String()+")", "(*"+name+")")
	}
	return strings.NewReplacer(pairs...).Replace(dump.ForHash(q))
}
