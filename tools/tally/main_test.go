package main

import (
	"strings"
	"testing"
)

func TestTally(t *testing.T) {
	tests := []struct {
		name, in, want string
		ok             bool
	}{
		{
			name: "one passes, one is skipped, one fails",
			in: `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:7: needs root\n"}
{"Action":"output","Package":"p","Test":"TestB","Output":"--- SKIP: TestB (0.00s)\n"}
{"Action":"skip","Package":"p","Test":"TestB"}
{"Action":"output","Package":"p","Test":"TestC","Output":"    c_test.go:9: got 1\n"}
{"Action":"fail","Package":"p","Test":"TestC"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t0.1s\n"}
{"Action":"fail","Package":"p"}
`,
			want: `    c_test.go:9: got 1
FAIL	p	0.1s
skipped TestB (p): needs root
1 passed, 1 failed, 1 skipped
`,
		},
		{
			name: "all pass",
			in: `{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Output":"ok  \tp\t0.1s\n"}
{"Action":"pass","Package":"p"}
`,
			want: "ok  \tp\t0.1s\n1 passed, 0 failed, 0 skipped\n",
			ok:   true,
		},
		{
			name: "a package that does not build",
			in: `{"Action":"build-output","ImportPath":"p","Output":"p.go:1:1: expected 'package'\n"}
{"Action":"build-fail","ImportPath":"p"}
{"Action":"pass","Package":"q","Test":"TestA"}
`,
			want: "p.go:1:1: expected 'package'\n1 passed, 0 failed, 0 skipped\n",
		},
		{
			name: "nothing ran",
			in:   "",
			want: "0 passed, 0 failed, 0 skipped\nno test ran\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			tl := &tally{out: &out, said: make(map[string][]string)}
			if err := tl.read(strings.NewReader(tt.in)); err != nil {
				t.Fatal(err)
			}
			if ok := tl.close(); ok != tt.ok {
				t.Errorf("close() = %t, want %t", ok, tt.ok)
			}
			if out.String() != tt.want {
				t.Errorf("printed\n%s\nwant\n%s", out.String(), tt.want)
			}
		})
	}
}
