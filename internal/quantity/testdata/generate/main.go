// Command generate writes ../vectors.tsv.gz: what k8s.io/apimachinery's
// resource.Quantity makes of several thousand inputs.
//
//	go run . -o ../vectors.tsv.gz           # apimachinery 0.37.2
//	go run -modfile=v0.30.mod . -o /tmp/x   # apimachinery 0.30.14: the same bytes
//
// Compiled with Go 1.22, as Kubernetes 1.30 is, the result has the same content,
// so math/big represented these numbers in the same way then.
//
// A line holds tab-separated fields, all but the first quoted as in Go: "json" or
// "raw", one or more inputs, the error, the re-encoded JSON, and the dump which a
// kubelet hashes. "json" inputs go through encoding/json, "raw" ones straight to
// UnmarshalJSON; all inputs of a line are decoded into the same variable.
//
// `go test .` and `go test -fuzz=Fuzz .` compare package quantity with it.
package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/utils/dump"
)

func main() {
	out := flag.String("o", "../vectors.tsv.gz", "file to write")
	flag.Parse()
	f, err := os.Create(*out)
	if err != nil {
		log.Fatal(err)
	}
	zw, _ := gzip.NewWriterLevel(f, gzip.BestCompression)
	w := bufio.NewWriter(zw)
	vs := vectors()
	for _, v := range vs {
		write(w, v)
	}
	for _, c := range []func() error{w.Flush, zw.Close, f.Close} {
		if err := c(); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(len(vs), "vectors")
}

// vector is one line before it is answered.
type vector struct {
	via    string
	inputs []string
}

func write(w io.Writer, v vector) {
	var q resource.Quantity
	fmt.Fprint(w, v.via)
	text := ""
	for _, in := range v.inputs {
		if err := decode(v.via, in, &q); err != nil {
			text = err.Error()
		}
		fmt.Fprint(w, "\t", strconv.QuoteToASCII(in))
	}
	encoded, err := q.MarshalJSON()
	if err != nil {
		log.Fatalf("%q: %v", v.inputs, err)
	}
	for _, field := range []string{text, string(encoded), dump.ForHash(q)} {
		fmt.Fprint(w, "\t", strconv.QuoteToASCII(field))
	}
	fmt.Fprintln(w)
}

func decode(via, in string, q json.Unmarshaler) error {
	if via == "raw" {
		return q.UnmarshalJSON([]byte(in))
	}
	return json.Unmarshal([]byte(in), q)
}
