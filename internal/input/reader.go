package input

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"syscall"
)

// MaxSize is the default of Reader.Limit. The largest checkpoint files known
// are a few MiB, for 5,000 pods; to judge a file takes some sixteen times its
// size in memory at worst.
const MaxSize = 32 << 20

// HeadSize is how much of a file that is too large is given all the same, for
// telling what it is: next to checkpoint files lie archives of many gigabytes.
const HeadSize = 64 << 10

// Reader says how paths are read. The zero value reads the paths of this
// process up to MaxSize bytes each, and may be used by several goroutines.
type Reader struct {
	Root  string    // paths are looked up inside this directory; "" leaves them as they are
	Known []string  // files looked for first in a directory, relative and with slashes
	Stdin io.Reader // what "-" reads; nil is os.Stdin
	Limit int64     // bytes a file may have; 0 is MaxSize

	// BackupMark is part of the names of backups. Of a directory they are read
	// only if nothing else is there; "": no name is one of a backup.
	BackupMark string
}

// Contents is what a file held.
type Contents struct {
	Bytes []byte
	Size  int64 // that the open file said to have; 0 for standard input
}

// ReadFile reads the regular file at path into buf, which it grows if it must.
// The error is an *Error.
//
// Contents.Bytes always shares buf's memory or what replaced it, so that a
// caller can hand it in again for the next file. Next to an error it is empty,
// but for TooLarge, where it is the first HeadSize bytes.
func (r *Reader) ReadFile(path string, buf []byte) (Contents, error) {
	f, err := r.open(path)
	if err != nil {
		return Contents{Bytes: buf[:0]}, err
	}
	defer f.Close()
	return r.readOpen(path, f, buf)
}

// readOpen is ReadFile for a file that was opened.
func (r *Reader) readOpen(path string, f file, buf []byte) (Contents, error) {
	c := Contents{Bytes: buf[:0]}
	mode, size, err := f.stat()
	if err != nil {
		return c, systemError(path, err)
	}
	// Again, because what was found may have been replaced before the open.
	if err := kindError(path, mode); err != nil {
		return c, err
	}
	c.Size = size
	c.Bytes, err = r.fill(path, c.Bytes, f, size)
	return c, err
}

// readIn is ReadFile for a file that d was listed with. It reports false if
// that is not to be relied on, whatever the reason.
func (r *Reader) readIn(d *folder, name, path string, buf []byte) (c Contents, ok bool, err error) {
	if !d.enter() {
		return c, false, nil
	}
	defer d.leave()
	f, err := d.child(name)
	if err != nil {
		return c, false, nil
	}
	defer f.Close()
	c, err = r.readOpen(path, f, buf)
	return c, true, err
}

// open opens the regular file at path. A link that takes the file's place
// between the look and the open is followed on the next try, within the root.
func (r *Reader) open(path string) (file, error) {
	for tries := 0; ; tries++ {
		f, err := r.tryOpen(path)
		if !errors.Is(err, errSwapped) || tries == maxLinks {
			return f, err
		}
	}
}

func (r *Reader) tryOpen(path string) (file, error) {
	p, err := r.find(path)
	if err != nil {
		return nil, err
	}
	defer p.close()
	if err := kindError(path, p.mode()); err != nil {
		return nil, err
	}
	f, err := p.open()
	if err != nil {
		return nil, systemError(path, err)
	}
	return f, nil
}

// readStdin reads standard input to its end into buf.
func (r *Reader) readStdin(buf []byte) (Contents, error) {
	src := r.Stdin
	if src == nil {
		src = os.Stdin
	}
	b, err := r.fill(Stdin, buf[:0], src, 0)
	return Contents{Bytes: b}, err
}

// find looks path up without opening it.
func (r *Reader) find(path string) (place, error) {
	if r.Root == "" {
		p, err := findPlain(path)
		if err != nil {
			return nil, systemError(path, err)
		}
		return p, nil
	}
	w, err := findInRoot(r.Root, path)
	if err != nil {
		return nil, inRootError(path, err)
	}
	return w, nil
}

// fill reads all of src into buf, which is empty, if size and limit agree. It
// asks for one byte more than size, so that a file of that size is read, and its
// end seen, at once.
func (r *Reader) fill(path string, buf []byte, src io.Reader, size int64) ([]byte, error) {
	limit := r.limit()
	want := limit + 1 // the byte beyond tells a file that is too large
	if size > limit {
		want = min(HeadSize, limit)
	}
	buf = slices.Grow(buf, int(min(max(size+1, 512), want)))
	for idle := 0; int64(len(buf)) < want; idle++ {
		if idle == 100 {
			return buf[:0], systemError(path, io.ErrNoProgress)
		}
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, int(min(int64(cap(buf)), want-int64(len(buf)))))
		}
		room := buf[len(buf):min(int64(cap(buf)), want)]
		n, err := src.Read(room)
		buf = buf[:len(buf)+n]
		if err == io.EOF || err == nil && n > 0 && n < len(room) && int64(len(buf)) == size {
			break
		}
		if err != nil {
			return buf[:0], readError(path, err)
		}
		if n > 0 {
			idle = -1
		}
	}
	if size <= limit && int64(len(buf)) <= limit {
		return buf, nil
	}
	e := &Error{Path: path, Reason: TooLarge, Err: syscall.EFBIG}
	e.Message = fmt.Sprintf("has more than %d bytes, which is the most that is read", limit)
	if size > limit {
		e.Message = fmt.Sprintf("has %d bytes, and no file of more than %d is read", size, limit)
	}
	return buf[:min(len(buf), HeadSize)], e
}

func (r *Reader) limit() int64 {
	if r.Limit > 0 {
		return min(r.Limit, math.MaxInt-1)
	}
	return MaxSize
}
