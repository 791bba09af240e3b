package command

import (
	"context"
	"iter"
	"runtime"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/cmd/ckpt/render"
	"github.com/kubeckpt/ckpt/internal/input"
)

// worker is what a goroutine that judges files keeps from one to the next.
type worker struct {
	buf      []byte
	verifier kubelet.Verifier
}

// maxWorkers bounds the files that are held at once. More would wait for the
// printer, or for the disk.
const maxWorkers = 4

func workers() int { return min(runtime.GOMAXPROCS(0), maxWorkers) }

// inOrder judges items with n workers and yields the files in the order of the
// items. It ends early when ctx does, with what is finished up to there: a read
// that hangs does not hold it up.
func inOrder(ctx context.Context, items iter.Seq[input.Item], n int, judge func(*worker, input.Item) render.File) iter.Seq[render.File] {
	if n < 2 {
		return func(yield func(render.File) bool) {
			var w worker
			for item := range items {
				f := judge(&w, item)
				if ctx.Err() != nil || !yield(f) {
					return
				}
			}
		}
	}
	return func(yield func(render.File) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		type job struct {
			item   input.Item
			result chan render.File
		}
		jobs := make(chan *job)
		order := make(chan *job, 2*n)
		done := make(chan *job, 2*n) // to be used again
		go func() {
			defer close(jobs)
			defer close(order)
			for item := range items {
				var j *job
				select {
				case j = <-done:
				default:
					j = &job{result: make(chan render.File, 1)}
				}
				j.item = item
				if !offer(ctx, order, j) || !offer(ctx, jobs, j) {
					return
				}
			}
		}()
		for range n {
			go func() {
				var w worker
				for j := range jobs {
					j.result <- judge(&w, j.item)
				}
			}()
		}
		for j := range order {
			select {
			case f := <-j.result:
				if ctx.Err() != nil || !yield(f) {
					return
				}
			case <-ctx.Done():
				return
			}
			select {
			case done <- j:
			default:
			}
		}
	}
}

// offer sends v unless ctx ends first.
func offer[T any](ctx context.Context, c chan<- T, v T) bool {
	select {
	case c <- v:
		return true
	case <-ctx.Done():
		return false
	}
}
