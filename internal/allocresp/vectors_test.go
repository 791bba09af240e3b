package allocresp

import (
	"bufio"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// vector is a message and what the kubelet's own decoders say of it: "error " and
// the text, or "ok " and the content. See testdata/generate.
type vector struct {
	message      []byte
	gogo, google string
}

func vectors(t testing.TB) []vector {
	f, err := os.Open("testdata/vectors.tsv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var vs []vector
	lines := bufio.NewScanner(zr)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 3 {
			t.Fatalf("line %d has %d fields, want 3", len(vs)+1, len(fields))
		}
		b, err := base64.StdEncoding.DecodeString(fields[0])
		if err != nil {
			t.Fatalf("line %d: %v", len(vs)+1, err)
		}
		vs = append(vs, vector{b, fields[1], fields[2]})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return vs
}

func TestVectors(t *testing.T) {
	vs := vectors(t)
	for _, v := range vs {
		if got := ask(v.message, Gogo); got != v.gogo {
			t.Errorf("gogo %x: got\n%s, want\n%s", v.message, got, v.gogo)
		}
		if got := ask(v.message, Google); got != v.google {
			t.Errorf("google %x: got\n%s, want\n%s", v.message, got, v.google)
		}
	}
	if len(vs) < 5000 {
		t.Errorf("only %d vectors", len(vs))
	}
}

func ask(b []byte, dialect Dialect) string {
	r, err := Decode(b, dialect)
	if err != nil {
		return "error " + err.Error()
	}
	var mounts, devices [][]string
	for _, m := range r.Mounts {
		mounts = append(mounts, []string{m.ContainerPath, m.HostPath, strconv.FormatBool(m.ReadOnly)})
	}
	for _, d := range r.Devices {
		devices = append(devices, []string{d.ContainerPath, d.HostPath, d.Permissions})
	}
	return "ok " + fmt.Sprintf("%+q %+q %+q %+q %+q", r.Envs, mounts, devices, r.Annotations, r.CDIDevices)
}
