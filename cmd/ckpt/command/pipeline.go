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

// maxAhead is how many files one worker may finish before they are yielded. To
// go to and fro for each costs as much as a tenth of a quick check.
const maxAhead = 8

// inOrder judges items with n workers and yields the files in the order of the
// items. When ctx ends before the items do, its error is yielded after what is
// finished up to there: a read that hangs does not hold it up. One worker begins
// with at most ahead files before the first of them is yielded.
func inOrder(ctx context.Context, items iter.Seq[input.Item], n, ahead int, judge func(*worker, input.Item) render.File) iter.Seq2[render.File, error] {
	if n < 2 {
		return oneByOne(ctx, items, ahead, judge)
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

// oneByOne is inOrder with one worker.
func oneByOne(ctx context.Context, items iter.Seq[input.Item], ahead int, judge func(*worker, input.Item) render.File) iter.Seq2[render.File, error] {
	return func(yield func(render.File, error) bool) {
		begin := make(chan struct{}, ahead)
		defer close(begin)
		for range ahead {
			begin <- struct{}{}
		}
		results := make(chan render.File, ahead)
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
			f, more, err := await(ctx, results)
			if !more || !yield(f, err) || err != nil {
				return
			}
			begin <- struct{}{}
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
