package command

import (
	"fmt"
	"io"
	"iter"
	"os"
	"sync/atomic"
	"time"

	"github.com/kubeckpt/ckpt/internal/input"
)

// progress tells a person at a terminal how far a long run is. The nil progress
// tells nothing.
type progress struct {
	w     io.Writer
	now   func() time.Time
	start time.Time
	last  time.Time
	done  int
	shown bool
	total atomic.Int64 // 0: not counted yet
}

const (
	progressAfter = time.Second // short runs show none
	progressEvery = 200 * time.Millisecond
)

// newProgress returns nil unless w is a terminal. all are the files to come;
// they are counted meanwhile, since finding them takes long as well.
func newProgress(w io.Writer, getenv func(string) string, all iter.Seq[input.Item]) *progress {
	f, ok := w.(*os.File)
	if !ok || getenv("TERM") == "dumb" || columns(f, getenv) == 0 {
		return nil
	}
	p := &progress{w: w, now: time.Now, start: time.Now()}
	go func() {
		n := int64(0)
		for range all {
			n++
		}
		p.total.Store(n)
	}()
	return p
}

// step is called after each file.
func (p *progress) step() {
	if p == nil {
		return
	}
	p.done++
	now := p.now()
	spent := now.Sub(p.start)
	if spent < progressAfter || now.Sub(p.last) < progressEvery {
		return
	}
	p.last, p.shown = now, true
	rate := float64(p.done) / spent.Seconds()
	if total := p.total.Load(); total > 0 {
		left := time.Duration(float64(total-int64(p.done)) / rate * float64(time.Second)).Round(time.Second)
		fmt.Fprintf(p.w, "\r%d of %d files, %.0f/s, %v left\x1b[K", p.done, total, rate, left)
		return
	}
	fmt.Fprintf(p.w, "\r%d files, %.0f/s\x1b[K", p.done, rate)
}

// clear makes room for other output.
func (p *progress) clear() {
	if p != nil && p.shown {
		p.shown = false
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
