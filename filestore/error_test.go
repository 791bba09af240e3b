package filestore_test

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"
	"time"

	"github.com/kubeckpt/ckpt/filestore"
)

func TestErrorTexts(t *testing.T) {
	eio := &fs.PathError{Op: "sync", Path: "/s", Err: syscall.EIO}
	for want, err := range map[string]error{
		`write "k": sync /s: input/output error`:                                                &filestore.OpError{Op: "write", Key: "k", Err: eio},
		`list: sync /s: input/output error`:                                                     &filestore.OpError{Op: "list", Err: eio},
		`"/s/k" is changed but may not survive a power cut: sync /s: input/output error`:        &filestore.NotDurableError{Path: "/s/k", Err: eio},
		`"/s/k" may hold the old or the new value: sync /s: input/output error`:                 &filestore.UncertainError{Path: "/s/k", Err: eio},
		`"/s/k" is a mount point and cannot be replaced by rename: sync /s: input/output error`: &filestore.MountPointError{Path: "/s/k", Err: eio},
		`"/s/k" is a directory, want a regular file`:                                            &filestore.NotRegularError{Path: "/s/k", Mode: fs.ModeDir},
		`"/s/k" is a symbolic link, want a regular file`:                                        &filestore.NotRegularError{Path: "/s/k", Mode: fs.ModeSymlink},
		`"/s/k" is a named pipe, want a regular file`:                                           &filestore.NotRegularError{Path: "/s/k", Mode: fs.ModeNamedPipe},
		`"/s/k" is a socket, want a regular file`:                                               &filestore.NotRegularError{Path: "/s/k", Mode: fs.ModeSocket},
		`"/s/k" is a device, want a regular file`:                                               &filestore.NotRegularError{Path: "/s/k", Mode: fs.ModeDevice | fs.ModeCharDevice},
		`"/s/k" is of mode ?---------, want a regular file`:                                     &filestore.NotRegularError{Path: "/s/k", Mode: fs.ModeIrregular},
		`value of 5 bytes is over the limit of 4`:                                               &filestore.TooLargeError{Size: 5, Limit: 4},
		`key of 3 bytes, at most 220 with history or quarantine`:                                &filestore.LongKeyError{Key: "abc"},
		`lock "/s/l" is held by me (waited 2s)`:                                                 &filestore.LockedError{Path: "/s/l", Owner: "me", Waited: 2 * time.Second},
		`lock "/s/l" is held by an unnamed process (waited 0s)`:                                 &filestore.LockedError{Path: "/s/l"},
		`key is not found`: filestore.ErrKeyNotFound,
	} {
		if err.Error() != want {
			t.Errorf("text %q, want %q", err, want)
		}
		if errors.Unwrap(err) != nil && !errors.Is(err, syscall.EIO) {
			t.Errorf("%v: the errno cannot be found", err)
		}
	}
}
