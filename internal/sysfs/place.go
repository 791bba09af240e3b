package sysfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	pathpkg "path"
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
	d, ok := r.sys.(*Dir)
	if !ok {
		inner, err := fs.Sub(r.sys, path)
		return place{path: path, fsys: inner, err: err}
	}
	if base, rest, ok := r.shortcut(d, path); ok {
		inner, err := base.OpenRoot(rest)
		if err == nil {
			return place{path: path, fsys: &Dir{inner}}
		}
		if errors.Is(err, fs.ErrNotExist) {
			return place{path: path, err: err}
		}
		// Whatever it is, the whole way has the last word.
	}
	inner, err := d.root.OpenRoot(path)
	if err != nil {
		return place{path: path, err: err}
	}
	return place{path: path, fsys: &Dir{inner}}
}

// shortcut finds the directory of a CPU from one that is open already: the way
// from the top, and by the kernel's link from a node to its CPU, has a dozen steps.
func (r *reader) shortcut(d *Dir, path string) (base *os.Root, rest string, ok bool) {
	if rest, ok = strings.CutPrefix(path, cpuDir+"/"); ok {
		base = r.base(d, cpuDir)
		return base, rest, base != nil
	}
	node, rest, ok := strings.Cut(strings.TrimPrefix(path, nodeDir+"/"), "/")
	if !ok || !strings.HasPrefix(path, nodeDir+"/") || !strings.HasPrefix(rest, "cpu") || !r.plain(d, nodeDir+"/"+node) {
		return nil, "", false
	}
	cpu, _, _ := strings.Cut(rest, "/")
	dir := r.base(d, nodeDir+"/"+node)
	if dir == nil {
		return nil, "", false
	}
	if to, err := dir.Readlink(cpu); err != nil || to != "../../cpu/"+cpu {
		return nil, "", false
	}
	base = r.base(d, cpuDir)
	return base, rest, base != nil
}

// base opens a directory once, until r is closed; nil if it cannot be.
func (r *reader) base(d *Dir, path string) *os.Root {
	root, known := r.bases[path]
	if !known {
		root, _ = d.root.OpenRoot(path)
		r.bases[path] = root
	}
	return root
}

// plain reports whether no part of path is a link, so that ".." leads to its
// parent.
func (r *reader) plain(d *Dir, path string) bool {
	is, known := r.plains[path]
	if !known {
		is = true
		for at := path; is && at != "."; at = pathpkg.Dir(at) {
			info, err := d.root.Lstat(at)
			is = err == nil && info.IsDir()
		}
		r.plains[path] = is
	}
	return is
}

func (r *reader) close() {
	for _, root := range r.bases {
		if root != nil {
			root.Close()
		}
	}
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
	end := digits(text)
	n, err := strconv.ParseUint(text[:end], 10, 63)
	if err != nil || !strings.HasPrefix(text[end:], unit) {
		return 0, fmt.Errorf("/sys/%s/%s: %q is no number", p.path, name, clip(text))
	}
	return n, nil
}

// scanSigned is scan for a number without a unit that may have a sign.
func (p place) scanSigned(name string) (int, error) {
	text, err := p.text(name)
	if err != nil {
		return 0, err
	}
	sign := 0
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
		sign = 1
	}
	n, err := strconv.Atoi(text[:sign+digits(text[sign:])])
	if err != nil {
		return 0, fmt.Errorf("/sys/%s/%s: %q is no number", p.path, name, clip(text))
	}
	return n, nil
}

// digits is how many digits text begins with.
func digits(text string) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}

// clip shortens what a message quotes.
func clip(text string) string {
	const most = 64
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}
