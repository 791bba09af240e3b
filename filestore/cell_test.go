package filestore_test

import (
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/kubeckpt/ckpt/internal/faultfs"
)

// outcome is what a call may come to, as seen by its caller and by a reader.
type outcome string

const (
	kept      outcome = "kept"      // an error, and the old value
	undurable outcome = "undurable" // a NotDurableError, and the new value
	uncertain outcome = "uncertain" // an UncertainError, and either
	done      outcome = "done"      // no error, and the new value
	failed    outcome = "failed"    // an error of a call that changes nothing
	absent    outcome = "absent"    // ErrKeyNotFound
)

// cell is one fault at one call, and what must become of it.
type cell struct {
	op    string // open, put, delete, read, list
	rule  faultfs.Rule
	once  outcome // if the call fails once
	after outcome // if it fails from then on; empty: the same
}

func (c cell) String() string {
	s := fmt.Sprintf("%s: %s %s: %v", c.op, c.rule.Call, c.rule.Path, c.rule.Err)
	if c.rule.After {
		s += " (applied)"
	}
	if c.rule.Short {
		s += " (short)"
	}
	return s
}

func (c cell) want(persistent bool) outcome {
	if persistent && c.after != "" {
		return c.after
	}
	return c.once
}

const anyTemp = ".ckpt-*"

// cells is the table of docs/durability.md.
func cells() []cell {
	var all []cell
	add := func(op string, call faultfs.Call, name string, want outcome, errs ...error) {
		for _, err := range errs {
			all = append(all, cell{op: op, rule: faultfs.Rule{Call: call, Path: name, Err: err}, once: want})
		}
	}
	one := func(op string, r faultfs.Rule, once, after outcome) {
		all = append(all, cell{op, r, once, after})
	}
	add("open", faultfs.Mkdir, "new", failed, syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EACCES,
		syscall.EIO, syscall.ENOTDIR, syscall.EEXIST)
	add("open", faultfs.Stat, "new", failed, syscall.EACCES, syscall.EIO, syscall.ENOTDIR, syscall.ELOOP)

	add("put", faultfs.Create, anyTemp, kept, syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EMFILE,
		syscall.ENFILE, syscall.EACCES, syscall.EPERM, syscall.EIO, syscall.ENOENT, syscall.ENOTDIR,
		syscall.ENAMETOOLONG, syscall.ELOOP)
	one("put", faultfs.Rule{Call: faultfs.Create, Path: anyTemp, Err: syscall.EEXIST}, done, kept)

	add("put", faultfs.Write, anyTemp, kept, syscall.ENOSPC, syscall.EDQUOT, syscall.EIO, syscall.EFBIG)
	one("put", faultfs.Rule{Call: faultfs.Write, Path: anyTemp, Err: syscall.ENOSPC, Short: true}, kept, kept)
	one("put", faultfs.Rule{Call: faultfs.Write, Path: anyTemp, Short: true}, kept, kept)
	one("put", faultfs.Rule{Call: faultfs.Write, Path: anyTemp, Err: syscall.EINTR, Short: true}, done, kept)

	add("put", faultfs.Sync, anyTemp, kept, syscall.EIO, syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS,
		syscall.EINVAL, syscall.ENOTSUP)
	add("put", faultfs.Close, anyTemp, kept, syscall.EIO, syscall.ENOSPC, syscall.EDQUOT, syscall.EINTR)

	add("put", faultfs.Rename, anyTemp, kept, syscall.EIO, syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS,
		syscall.EACCES, syscall.EPERM, syscall.EBUSY, syscall.EEXIST, syscall.ENOTEMPTY, syscall.EISDIR,
		syscall.EXDEV, syscall.ENOENT)
	one("put", faultfs.Rule{Call: faultfs.Rename, Path: anyTemp, Err: syscall.EIO, After: true}, undurable, "")

	add("put", faultfs.OpenDir, "s", kept, syscall.EMFILE, syscall.ENFILE, syscall.EACCES, syscall.EIO)
	one("put", faultfs.Rule{Call: faultfs.OpenDir, Path: "s", Err: syscall.ENOENT}, done, kept)
	add("put", faultfs.SyncDir, "s", undurable, syscall.EIO, syscall.ENOSPC, syscall.EROFS, syscall.EINVAL,
		syscall.ENOTSUP)
	add("put", faultfs.CloseDir, "s", done, syscall.EIO)

	add("put", faultfs.Stat, "k", kept, syscall.EIO, syscall.EACCES)
	add("put", faultfs.Stat, anyTemp, kept, syscall.EIO)
	add("put", faultfs.Chmod, anyTemp, kept, syscall.EPERM)
	add("put", faultfs.Attrs, anyTemp, kept, syscall.EPERM, syscall.ENOSPC)
	add("put", faultfs.Lock, "", kept, syscall.EACCES, syscall.EMFILE, syscall.EIO)
	one("put", faultfs.Rule{Call: faultfs.Lock, Err: errors.ErrUnsupported}, done, "")

	add("read", faultfs.Open, "k", absent, syscall.ENOENT)
	add("read", faultfs.Open, "k", failed, syscall.EACCES, syscall.EMFILE, syscall.EIO, syscall.EISDIR,
		syscall.ELOOP, syscall.ENOTDIR)
	add("read", faultfs.Stat, "k", absent, syscall.ENOENT)
	add("read", faultfs.Stat, "k", failed, syscall.EIO)
	add("read", faultfs.Read, "k", failed, syscall.EIO, syscall.EISDIR, io.ErrUnexpectedEOF)
	one("read", faultfs.Rule{Call: faultfs.Read, Path: "k", Short: true}, done, "")
	one("read", faultfs.Rule{Call: faultfs.Read, Path: "k", Err: io.EOF}, failed, "") // it has shrunk
	one("read", faultfs.Rule{Call: faultfs.Read, Path: "k", Err: syscall.EINTR}, done, failed)
	add("read", faultfs.Close, "k", done, syscall.EIO)

	add("list", faultfs.OpenDir, "s", failed, syscall.EIO, syscall.ENOENT, syscall.EACCES)
	add("list", faultfs.ReadDir, "s", failed, syscall.EIO)

	add("delete", faultfs.Remove, "k", kept, syscall.EACCES, syscall.EPERM, syscall.EROFS, syscall.EIO,
		syscall.EBUSY, syscall.EISDIR, syscall.ENOTEMPTY)
	one("delete", faultfs.Rule{Call: faultfs.Remove, Path: "k", Err: syscall.ENOENT, After: true}, done, "")
	add("delete", faultfs.OpenDir, "s", kept, syscall.EMFILE, syscall.EIO)
	add("delete", faultfs.SyncDir, "s", undurable, syscall.EIO, syscall.EINVAL)
	add("delete", faultfs.Stat, "k", kept, syscall.EIO)
	return all
}
