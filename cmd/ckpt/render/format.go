package render

import (
	"fmt"
	"strings"
)

// Format is a way to write the verdicts of ckpt verify.
type Format string

const (
	Table Format = "table" // one line a file, within the width
	Wide  Format = "wide"  // one line a file, more columns, as wide as it gets
	JSON  Format = "json"  // one array
	JSONL Format = "jsonl" // one object a line
	NPD   Format = "npd"   // one line for node-problem-detector
	Prom  Format = "prom"  // for the textfile collector of Prometheus' node_exporter
)

// Formats returns all formats, in the order in which help lists them.
func Formats() []Format { return []Format{Table, Wide, JSON, JSONL, NPD, Prom} }

// ParseFormat returns the format of that name.
func ParseFormat(name string) (Format, error) {
	var names []string
	for _, f := range Formats() {
		if string(f) == name {
			return f, nil
		}
		names = append(names, string(f))
	}
	return "", fmt.Errorf("unknown output format %q, want one of %s", name, strings.Join(names, ", "))
}
