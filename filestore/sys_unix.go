//go:build unix

package filestore

import (
	"io/fs"
	"syscall"
)

// openFlags keep an open from following a link and from waiting at a pipe that
// has taken the file's place since it was looked at.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

const dirsCanSync = true

func ownerOf(info fs.FileInfo) (uid, gid int, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(st.Uid), int(st.Gid), true
}
