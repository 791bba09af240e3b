package sysfs

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// place is a directory of sys whose files are read one after the other. It is
// opened once, for in a large machine the way to each file is most of the work.
type place struct {
	path string // below sys
	fsys fs.FS
	err  error // why it cannot be entered
}

func (r *reader) enter(path string) place {
	if d, ok := r.sys.(*Dir); ok {
		inner, err := d.root.OpenRoot(path)
		if err != nil {
			return place{path: path, err: err}
		}
		return place{path: path, fsys: &Dir{inner}}
	}
	inner, err := fs.Sub(r.sys, path)
	return place{path: path, fsys: inner, err: err}
}

func (p place) leave() {
	if d, ok := p.fsys.(*Dir); ok {
		d.Close()
	}
}

// text reads a file without the white space around what it says. Its error is
// fs.ErrNotExist if there is no such file.
func (p place) text(name string) (string, error) {
	blob, err := []byte(nil), p.err
	if err == nil {
		blob, err = readFile(p.fsys, name, attributeLimit)
	}
	if err != nil {
		return "", fmt.Errorf("/sys/%s/%s: %w", p.path, name, reason(err))
	}
	return strings.TrimSpace(string(blob)), nil
}

// number reads a file that holds one.
func (p place) number(name string) (int, error) {
	text, err := p.text(name)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("/sys/%s/%s: %q is no number", p.path, name, clip(text))
	}
	return n, nil
}

// scan reads the number at the beginning of a file that says more. The unit
// must follow it.
func (p place) scan(name, unit string) (uint64, error) {
	text, err := p.text(name)
	if err != nil {
		return 0, err
	}
	end := 0
	for end < len(text) && '0' <= text[end] && text[end] <= '9' {
		end++
	}
	n, err := strconv.ParseUint(text[:end], 10, 63)
	if err != nil || !strings.HasPrefix(text[end:], unit) {
		return 0, fmt.Errorf("/sys/%s/%s: %q is no number", p.path, name, clip(text))
	}
	return n, nil
}

// clip shortens what a message quotes.
func clip(text string) string {
	const most = 64
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}
