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
// items. When ctx ends before the items do, its error is yielded after what is
// finished up to there: a read that hangs does not hold it up.
//
// With n 0 the caller judges, whom a read that hangs does hold up until a second
// interrupt. On one processor, going to and fro for each file costs as much as a
// tenth of a quick check.
func inOrder(ctx context.Context, items iter.Seq[input.Item], n int, judge func(*worker, input.Item) render.File) iter.Seq2[render.File, error] {
	switch n {
	case 0:
		return func(yield func(render.File, error) bool) {
			var w worker
			for item := range items {
				f := judge(&w, item)
				if err := ctx.Err(); !yield(f, err) || err != nil {
					return
				}
			}
		}
	case 1:
		return oneByOne(ctx, items, judge)
	}
	return func(yield func(render.File, error) bool) {
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
			close(order)
		}()
		for range n {
			go func() {
				var w worker
				for j := range jobs {
					j.result <- judge(&w, j.item)
				}
			}()
		}
		for {
			j, more, err := await(ctx, order)
			if !more {
				return
			}
			var f render.File
			if err == nil {
				f, _, err = await(ctx, j.result)
			}
			if !yield(f, err) || err != nil {
				return
			}
			select {
			case done <- j:
			default:
			}
		}
	}
}

// oneByOne is inOrder with one worker, which begins with a file when the one
// before has been yielded.
func oneByOne(ctx context.Context, items iter.Seq[input.Item], judge func(*worker, input.Item) render.File) iter.Seq2[render.File, error] {
	return func(yield func(render.File, error) bool) {
		begin := make(chan struct{}, 1)
		defer close(begin)
		results := make(chan render.File, 1)
		go func() {
			var w worker
			for item := range items {
				if _, ok := <-begin; !ok {
					return
				}
				results <- judge(&w, item)
			}
			close(results)
		}()
		for {
			begin <- struct{}{}
			f, more, err := await(ctx, results)
			if !more || !yield(f, err) || err != nil {
				return
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

// await receives from c, and reports false if that is closed, which it may be
// when ctx has ended too. What else comes when ctx has ended, comes with its
// error: it may be about a read that was cut short.
func await[T any](ctx context.Context, c <-chan T) (v T, more bool, err error) {
	select {
	case v, more = <-c:
	default:
		select {
		case v, more = <-c:
		case <-ctx.Done():
			more = true
		}
	}
	if more {
		err = ctx.Err()
	}
	return v, more, err
}
