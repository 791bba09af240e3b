//go:build !linux

package input

import "os"

func openFile(path string) (file, error) {
	return newOSFile(os.OpenFile(path, os.O_RDONLY|openFlags, 0))
}
