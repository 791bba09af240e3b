package input

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"syscall"
)

// Reason says in one stable word why a path gave no bytes.
type Reason string

const (
	Missing      Reason = "missing"        // nothing has that name
	DanglingLink Reason = "dangling-link"  // a symbolic link to nothing
	Permission   Reason = "permission"     // the file or a directory before it may not be read
	Directory    Reason = "directory"      // a directory where a file was expected
	FIFO         Reason = "fifo"           // a named or shell pipe
	Socket       Reason = "socket"         // a Unix socket
	Device       Reason = "device"         // a block or character device
	Irregular    Reason = "irregular"      // neither a regular file nor any of the above
	NotDirectory Reason = "not-directory"  // the path continues behind a file
	SymlinkLoop  Reason = "symlink-loop"   // more than maxLinks symbolic links
	TooLarge     Reason = "too-large"      // more bytes than Reader.Limit
	BadPath      Reason = "bad-path"       // empty, too long, or with a NUL byte
	BadRoot      Reason = "bad-root"       // Reader.Root cannot be opened
	StdinTwice   Reason = "stdin-twice"    // "-" for the second time
	NoFiles      Reason = "no-files"       // a directory without a file to read
	TooManyFiles Reason = "too-many-files" // a directory with more than maxEntries entries
	IO           Reason = "io"             // anything else the system said
)

// Error is the one answer for a path that gave no bytes.
//
// Message completes a sentence that starts with the path, such as "is a named
// pipe, not a regular file". Err is the system's error, if there was one, and
// is found by errors.Is.
type Error struct {
	Path    string // as it was given
	Reason  Reason
	Message string
	Err     error
}

func (e *Error) Error() string { return strconv.Quote(e.Path) + " " + e.Message }

func (e *Error) Unwrap() error { return e.Err }

// kindError names what is not a regular file; it is nil for one that is.
func kindError(path string, mode fs.FileMode) *Error {
	if mode.IsRegular() {
		return nil
	}
	e := &Error{Path: path}
	var what string
	switch {
	case mode.IsDir():
		e.Reason, e.Err, what = Directory, syscall.EISDIR, "a directory"
	case mode&fs.ModeNamedPipe != 0:
		e.Reason, what = FIFO, "a named pipe"
	case mode&fs.ModeSocket != 0:
		e.Reason, what = Socket, "a socket"
	case mode&fs.ModeCharDevice != 0:
		e.Reason, what = Device, "a character device"
	case mode&fs.ModeDevice != 0:
		e.Reason, what = Device, "a block device"
	default:
		e.Reason, what = Irregular, "a special file"
	}
	e.Message = "is " + what + ", not a regular file"
	return e
}

// systemError puts the system's answer into words.
func systemError(path string, err error) *Error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	e := &Error{Path: path, Err: err}
	var dangling *danglingError
	switch {
	case errors.As(err, &dangling):
		e.Reason = DanglingLink
		e.Message = fmt.Sprintf("leads through a symbolic link to %q, which does not exist", dangling.target)
	case path == "":
		e.Reason, e.Message = BadPath, "is an empty path"
	case errors.Is(err, fs.ErrNotExist):
		e.Reason, e.Message = Missing, "does not exist"
	case errors.Is(err, fs.ErrPermission):
		e.Reason, e.Message = Permission, "cannot be read: permission denied"
	case errors.Is(err, syscall.ENOTDIR):
		e.Reason, e.Message = NotDirectory, "does not exist: the path goes on behind something that is not a directory"
	case errors.Is(err, syscall.ELOOP):
		e.Reason, e.Message = SymlinkLoop, fmt.Sprintf("leads in a circle or through more than %d symbolic links", maxLinks)
	case errors.Is(err, syscall.ENAMETOOLONG):
		e.Reason, e.Message = BadPath, "is too long for a path"
	case errors.Is(err, syscall.EINVAL):
		e.Reason, e.Message = BadPath, "is not a possible path"
	case errors.Is(err, syscall.EISDIR):
		return kindError(path, fs.ModeDir)
	default:
		e.Reason, e.Message = IO, "cannot be read: "+err.Error()
	}
	return e
}

// readError words the failure of a read: EINVAL is no longer about the path.
func readError(path string, err error) *Error {
	e := systemError(path, err)
	if e.Reason == BadPath {
		e.Reason, e.Message = IO, "cannot be read: "+e.Err.Error()
	}
	return e
}

// inRootError tells the failures of the root from those of the path in it.
func inRootError(path string, err error) *Error {
	e := systemError(path, err)
	var re *rootError
	if errors.As(err, &re) {
		e.Reason = BadRoot
		e.Message = fmt.Sprintf("cannot be looked up in the root %q: %s", re.root, systemError("", re.err).Err)
	}
	return e
}

// errSwapped is the kernel's ELOOP where the walk had not seen a link.
var errSwapped = errors.New("replaced by a symbolic link while it was opened")

// danglingError is ENOENT met inside the text of a symbolic link.
type danglingError struct {
	target string // what the link says
}

func (e *danglingError) Error() string {
	return fmt.Sprintf("symbolic link to %q, which does not exist", e.target)
}

func (e *danglingError) Unwrap() error { return syscall.ENOENT }
