//go:build !unix

package input

import (
	"io"
	"os"
)

const openFlags = 0

func newImpatient(f *os.File) (io.Reader, error) { return f, nil }
