package command

import (
	"io"
	"sync"
	"time"
)

// delayed collects what is written to it, and writes it on when that is much or
// has waited for a moment: a line for each of ten thousand files costs as much
// to write as to check. What was written to it waits no longer than that, even
// if the next file hangs. A table holds rows back itself, to align them.
type delayed struct {
	w     io.Writer
	timer *time.Timer

	mu  sync.Mutex
	buf []byte
	err error // of the first write that failed
}

const (
	writeAfter = 20 * time.Millisecond
	writeFrom  = 32 << 10 // bytes
)

func newDelayed(w io.Writer) *delayed {
	d := &delayed{w: w, buf: make([]byte, 0, writeFrom+writeFrom/4)}
	d.timer = time.AfterFunc(writeAfter, func() { d.flush() })
	return d
}

func (d *delayed) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.buf) == 0 {
		d.timer.Reset(writeAfter)
	}
	d.buf = append(d.buf, p...)
	if len(d.buf) >= writeFrom {
		d.write()
	}
	return len(p), d.err
}

// flush writes what waits. Its error is that of any write so far.
func (d *delayed) flush() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.write()
	return d.err
}

func (d *delayed) write() {
	if d.err == nil && len(d.buf) > 0 {
		_, d.err = d.w.Write(d.buf)
	}
	d.buf = d.buf[:0]
}

// close writes what waits and lets go of the timer.
func (d *delayed) close() error {
	d.timer.Stop()
	return d.flush()
}
