//go:build !unix

package filestore

import (
	"io/fs"
	"os"
)

const openFlags = 0

// syncMode is how a file is opened to be flushed: FlushFileBuffers of Windows is
// refused on a handle that may not write.
const syncMode = os.O_RDWR

// Windows has no fsync of a directory; NTFS journals the rename by itself.
const dirsCanSync = false

func ownerOf(fs.FileInfo) (uid, gid int, ok bool) { return 0, 0, false }
