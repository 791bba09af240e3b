package filestore

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"
	"syscall"
)

// osSystem is the operating system's part beyond FS.
type osSystem struct{}

// CopyAttributes copies extended attributes: the SELinux label, ACLs, file
// capabilities, and the user's own. What is there already is not set again, as
// setting a label may be forbidden even where keeping it is not.
func (osSystem) CopyAttributes(from, to string) error {
	names, err := listXattrs(from)
	for _, name := range names {
		if err == nil && !boundToContent(name) {
			err = copyXattr(from, to, name)
		}
	}
	if err != nil && !isNoXattrs(err) {
		return err
	}
	return nil
}

// boundToContent tells the attributes that are a signature of the old bytes.
func boundToContent(name string) bool {
	return name == "security.ima" || name == "security.evm"
}

func isNoXattrs(err error) bool {
	var pe *fs.PathError
	return errors.As(err, &pe) && pe.Op == "listxattr" && errors.Is(err, errors.ErrUnsupported)
}

func listXattrs(path string) ([]string, error) {
	list, err := growing(func(buf []byte) (int, error) { return syscall.Listxattr(path, buf) })
	if err != nil {
		return nil, pathError("listxattr", path, err)
	}
	return strings.FieldsFunc(string(list), func(r rune) bool { return r == 0 }), nil
}

func copyXattr(from, to, name string) error {
	want, err := getXattr(from, name)
	if errors.Is(err, syscall.ENODATA) {
		return nil // removed since
	}
	if err != nil {
		return pathError("getxattr "+name, from, err)
	}
	if have, err := getXattr(to, name); err == nil && bytes.Equal(have, want) {
		return nil
	}
	if err := syscall.Setxattr(to, name, want, 0); err != nil {
		return pathError("setxattr "+name, to, err)
	}
	return nil
}

func getXattr(path, name string) ([]byte, error) {
	return growing(func(buf []byte) (int, error) { return syscall.Getxattr(path, name, buf) })
}

// growing calls get with a larger buffer until the answer fits.
func growing(get func([]byte) (int, error)) ([]byte, error) {
	const most = 1 << 20 // the kernel's own limits are 64 KiB
	for size := 256; ; size *= 4 {
		buf := make([]byte, size)
		n, err := get(buf)
		if err == nil {
			return buf[:n], nil
		}
		if !errors.Is(err, syscall.ERANGE) || size > most {
			return nil, err
		}
	}
}
