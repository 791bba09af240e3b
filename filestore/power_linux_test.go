package filestore_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/kubeckpt/ckpt/internal/powercut"
)

// powerCuts writes to a real file system, takes its power away at a random
// moment, mounts it again and looks, the given number of times.
func powerCuts(dir, fsType, options, order string, cuts int) (sum verdict, err error) {
	disk, err := powercut.New(dir, fsType, options)
	if err != nil {
		return sum, skipError{err}
	}
	defer func() {
		if cerr := disk.Close(); err == nil {
			err = cerr
		}
	}()
	p := progress{state: state{}}
	store := filepath.Join(disk.Dir(), "var", "store")
	for range cuts {
		if err := cutOnce(disk, store, order, &p); err != nil {
			return sum, err
		}
		if err := disk.Restart(); err != nil {
			return sum, err
		}
		v, err := checkAfterCut(store, order, &p)
		if err != nil {
			return sum, err
		}
		sum.add(v)
	}
	return sum, nil
}

// cutOnce runs the workload until the power is gone.
func cutOnce(disk *powercut.Disk, store, order string, p *progress) error {
	st, err := openOS(store, order)
	if err != nil {
		return err
	}
	var stopped atomic.Bool
	cut := make(chan error, 1)
	go func() {
		time.Sleep(time.Duration(rand.IntN(20_000)) * time.Microsecond)
		err := disk.Cut()
		stopped.Store(true)
		cut <- err
	}()
	for {
		err := endless(p.next).do(st)
		if err != nil {
			break
		}
		p.advance()
		if stopped.Load() {
			// Writing without power and no error is what the next look will find.
			break
		}
	}
	return <-cut
}

// checkAfterCut judges the disk, and that the store leaves nothing behind.
func checkAfterCut(store, order string, p *progress) (verdict, error) {
	if _, err := os.Stat(store); os.IsNotExist(err) && p.next == 0 {
		return verdict{}, nil
	}
	v, err := p.judge(store)
	if err == nil && order != "ours" {
		return v, clearLeftovers(store)
	}
	if err != nil {
		return v, err
	}
	if _, err := openOS(store, order); err != nil {
		return v, err
	}
	if _, leftovers, err := onDisk(store); err != nil || leftovers != 0 {
		return v, fmt.Errorf("I6: %d leftovers after Open, %w", leftovers, err)
	}
	return v, nil
}

// imageDir is a directory for images, in memory if there is room.
func imageDir(t testing.TB) string {
	t.Helper()
	const enough = 1 << 30
	var st syscall.Statfs_t
	if err := syscall.Statfs("/dev/shm", &st); err != nil || int64(st.Bavail)*int64(st.Bsize) < enough {
		return t.TempDir()
	}
	return fastDir(t)
}

func TestPowerCuts(t *testing.T) {
	for _, c := range []struct{ fsType, options string }{
		{"ext4", ""}, {"ext4", "data=journal"}, {"ext4", "data=writeback,nodelalloc"}, {"xfs", ""},
	} {
		t.Run(c.fsType+" "+c.options, func(t *testing.T) {
			n := amount("CKPT_CUTS", 15)
			v, err := powerCuts(imageDir(t), c.fsType, c.options, "ours", n)
			if _, skip := err.(skipError); skip {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d power cuts: %v", n, v)
			if v.Lost != 0 || v.Torn != 0 {
				t.Error(v)
			}
		})
	}
}
