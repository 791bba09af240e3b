//go:build !unix

package filestore

import "io/fs"

const openFlags = 0

// Windows has no fsync of a directory; NTFS journals the rename by itself.
const dirsCanSync = false

func ownerOf(fs.FileInfo) (uid, gid int, ok bool) { return 0, 0, false }
