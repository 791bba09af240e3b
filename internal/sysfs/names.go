package sysfs

import (
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

func collect(d fs.ReadDirFile, dir string, limit int, keep func(string) bool) ([]string, error) {
	var names []string
	for seen := 0; ; {
		entries, err := some(d, 1024)
		for _, name := range entries {
			if keep(name) {
				names = append(names, name)
			}
		}
		if seen += len(entries); seen > entryLimit || len(names) > limit {
			return nil, &TooManyError{Dir: dir, Limit: min(limit, entryLimit)}
		}
		if err == io.EOF {
			slices.Sort(names)
			return names, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// some returns the next names. A file of the system is not asked what they are,
// which would cost a call for each.
func some(d fs.ReadDirFile, n int) (names []string, err error) {
	if f, ok := d.(interface{ Readdirnames(n int) ([]string, error) }); ok {
		return f.Readdirnames(n)
	}
	entries, err := d.ReadDir(n)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

// TooManyError is more in a directory than Linux can put there.
type TooManyError struct {
	Dir   string
	Limit int
	// number: it is the number in the name that is too large.
	number bool
}

func (e *TooManyError) Error() string {
	if e.number {
		return fmt.Sprintf("%s: its number is too large, Linux can have %d", e.Dir, e.Limit)
	}
	return fmt.Sprintf("%s: more than %d entries", e.Dir, e.Limit)
}

// numbered is the shell's prefix*[0-9]: node0, but node_extra2 too.
func numbered(prefix string) func(string) bool {
	return func(name string) bool {
		rest, ok := strings.CutPrefix(name, prefix)
		return ok && rest != "" && isDigit(rest[len(rest)-1])
	}
}

// leadingNumber reads the digits that follow prefix, whatever comes after.
func leadingNumber(name, prefix string) (int, error) {
	rest := strings.TrimPrefix(name, prefix)
	n := 0
	for n < len(rest) && isDigit(rest[n]) {
		n++
	}
	return strconv.Atoi(rest[:n])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
