//go:build unix

package filestore

import (
	"io/fs"
	"os"
	"syscall"
)

// openFlags keep an open from following a link and from waiting at a pipe that
// has taken the file's place since it was looked at.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// syncMode is how a file is opened to be flushed. Any handle will do, and one that
// only reads is had of a read-only file, too.
const syncMode = os.O_RDONLY

const dirsCanSync = true

func ownerOf(info fs.FileInfo) (uid, gid int, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(st.Uid), int(st.Gid), true
}
