package filestore_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/afero"

	"github.com/kubeckpt/ckpt/filestore"
)

// endless is the workload of the tests on real file systems: overwrites of a few
// keys by values of many sizes, and a removal now and then. Step i is the same in
// every process.
func endless(i int) step {
	key := fmt.Sprint("key", i%3)
	if i%7 == 6 {
		return del(key)
	}
	head := fmt.Sprintf("value %d of %s\n", i, key)
	return put(key, head+strings.Repeat(string(rune('a'+i%26)), i*7919%20_000))
}

// progress is where a run of endless is.
type progress struct {
	next  int   // the step that is to come
	state state // before it
}

func (p *progress) advance() {
	p.state = endless(p.next).after(p.state)
	p.next++
}

// verdict is what a check of the disk has found.
type verdict struct {
	Lost, Torn, Leftovers int
}

func (v *verdict) add(o verdict) {
	v.Lost += o.Lost
	v.Torn += o.Torn
	v.Leftovers += o.Leftovers
}

// judge compares a directory with what was acknowledged. The step that was under
// way may be done or not; p is set to what is there.
func (p *progress) judge(dir string) (verdict, error) {
	got, leftovers, err := onDisk(dir)
	if err != nil {
		return verdict{}, err
	}
	v := verdict{Leftovers: leftovers}
	if maps.Equal(got, p.state) {
		return v, nil
	}
	if next := endless(p.next).after(p.state); maps.Equal(got, next) {
		p.advance()
		return v, nil
	}
	v.Lost = 1
	for key, value := range got {
		if !wasWritten(key, value) {
			v.Lost, v.Torn = 0, 1
		}
	}
	p.state = got
	return v, nil
}

// wasWritten reports whether a value is one that endless writes, whole.
func wasWritten(key, value string) bool {
	var i int
	var of string
	if _, err := fmt.Sscanf(value, "value %d of %s\n", &i, &of); err != nil || of != key {
		return false
	}
	return string(endless(i).value) == value
}

// onDisk reads a directory without the store.
func onDisk(dir string) (got state, leftovers int, err error) {
	des, err := os.ReadDir(dir)
	if err != nil {
		return nil, 0, err
	}
	got = state{}
	for _, de := range des {
		switch {
		case de.Name() == ".ckpt.lock":
		case strings.HasPrefix(de.Name(), "."):
			leftovers++
		default:
			b, err := os.ReadFile(filepath.Join(dir, de.Name()))
			if err != nil {
				return nil, 0, err
			}
			got[de.Name()] = string(b)
		}
	}
	return got, leftovers, nil
}

// clearLeftovers removes those of a control, so that they are counted once.
func clearLeftovers(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, ".[^.]*"))
	for _, name := range names {
		if rerr := os.Remove(name); err == nil {
			err = rerr
		}
	}
	return err
}

// openOS opens the store, or the control, on the real file system.
func openOS(dir, order string) (store, error) {
	switch order {
	case "kubelet":
		return kubeletOrder{afero.NewOsFs(), dir}, os.MkdirAll(dir, 0o755)
	case "blind":
		return filestore.Open(dir, filestore.WithFS(blind{afero.NewOsFs()}), filestore.WithoutLock())
	}
	return filestore.Open(dir)
}

// blind is a file system on which stat of an open directory never fails, so that
// the store believes what fsync has said.
type blind struct{ afero.Fs }

func (b blind) Open(name string) (afero.File, error) {
	f, err := b.Fs.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return blindFile{f, info}, nil
}

type blindFile struct {
	afero.File
	info os.FileInfo
}

func (f blindFile) Stat() (os.FileInfo, error) { return f.info, nil }
