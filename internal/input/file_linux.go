package input

import (
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"
	"slices"
	"syscall"
)

// descriptor is a file by its number. An os.File would be registered with the
// poller, which waits for the regular files of /proc that can be polled; and
// that, with its finalizer, costs as much as to read a small file.
type descriptor int

func openFile(path string) (file, error) {
	fd, err := retry(func() (int, error) { return syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|openFlags, 0) })
	if err != nil {
		return nil, err
	}
	return descriptor(fd), nil
}

// openAt opens name in the directory dir. It does not follow a link.
func openAt(dir int, name string) (file, error) {
	fd, err := retry(func() (int, error) {
		return syscall.Openat(dir, name, syscall.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_CLOEXEC|openFlags, 0)
	})
	if err == syscall.ELOOP {
		return nil, errSwapped
	}
	if err != nil {
		return nil, err
	}
	return descriptor(fd), nil
}

func (d descriptor) child(name string) (file, error) { return openAt(int(d), name) }

func (d descriptor) Close() error { return syscall.Close(int(d)) }

func (d descriptor) Read(p []byte) (int, error) {
	n, err := retry(func() (int, error) { return syscall.Read(int(d), p) })
	switch {
	case err != nil:
		return 0, err
	case n == 0 && len(p) > 0:
		return 0, io.EOF
	}
	return n, nil
}

func (d descriptor) stat() (fs.FileMode, int64, error) {
	var st syscall.Stat_t
	_, err := retry(func() (int, error) { return 0, syscall.Fstat(int(d), &st) })
	return kindOf(st.Mode), st.Size, err
}

// A record that the kernel gives of an entry: its inode (8 bytes), a position
// (8), the length of the record (2), the type (1), and the name with a NUL.
const (
	recordLength = 16
	recordType   = 18
	recordName   = 19
)

func (d descriptor) list(limit int) (entries []entry, more bool, err error) {
	buf := make([]byte, 16<<10)
	for seen := 0; ; {
		n, err := retry(func() (int, error) { return syscall.ReadDirent(int(d), buf) })
		if err != nil || n <= 0 {
			return entries, false, err
		}
		for rest := buf[:n]; len(rest) > recordName; {
			size := int(binary.NativeEndian.Uint16(rest[recordLength:]))
			if size <= recordName || size > len(rest) {
				return entries, false, syscall.EIO
			}
			record := rest[:size]
			rest = rest[size:]
			text, _, _ := bytes.Cut(record[recordName:], []byte{0})
			name := string(text)
			if binary.NativeEndian.Uint64(record) == 0 || name == "." || name == ".." {
				continue
			}
			if seen++; seen > limit {
				return nil, true, nil
			}
			if hidden(name) {
				continue
			}
			if len(entries) == cap(entries) { // append alone would leave five times as much behind
				entries = slices.Grow(entries, len(entries)+64)
			}
			switch record[recordType] {
			case syscall.DT_REG:
				entries = append(entries, entry{name, true})
			case syscall.DT_LNK, syscall.DT_UNKNOWN:
				entries = append(entries, entry{name: name})
			}
		}
	}
}
