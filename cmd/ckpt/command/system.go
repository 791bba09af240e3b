package command

import (
	"context"
	"io"
	"os"
	"strconv"
)

// System returns the Env of this process.
func System() Env {
	return Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv:  os.Getenv,
		Columns: columns(os.Stdout, os.Getenv),
	}
}

const fallbackColumns = 80 // of a terminal that does not tell its width

// columns returns the width of f if it is a terminal, else 0.
func columns(f *os.File, getenv func(string) string) int {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return 0
	}
	n, ok := windowColumns(f)
	if !ok {
		return 0
	}
	if set, err := strconv.Atoi(getenv("COLUMNS")); err == nil && set > 0 {
		return set
	}
	if n == 0 {
		return fallbackColumns
	}
	return n
}

// stdin lets go of a blocked read when ctx ends, so that an interrupt works
// at a terminal too.
type stdin struct {
	ctx context.Context
	r   io.Reader
}

func (s *stdin) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	// The reader may still write into its buffer after Read has returned.
	own := make([]byte, len(p))
	go func() {
		n, err := s.r.Read(own)
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		return copy(p, own[:r.n]), r.err
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	}
}
