package filestore_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/afero"

	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/crashfs"
)

// The invariants, as the tests name them:
//
//	I1 whole           a value is the old or the new one, byte for byte
//	I2 durable         what was acknowledged is there, after a second crash too
//	I3 no resurrection an acknowledged Delete stays
//	I4 bystanders      other keys are unchanged
//	I5 list            List names keys only
//	I6 bounded         one leftover a writer at most, none after Open
//	I7 honest          every fault surfaces; success only if I2 holds
//	I8 usable          the next Write works
//	I9 idempotent      recovery may crash and be repeated
//	I10 no leak        no handle stays open

// storeDir is where the store lies on a crashfs.
const storeDir = "/s"

// state is what a store holds.
type state map[string]string

// step is one operation of a workload; a nil value deletes.
type step struct {
	key   string
	value []byte
}

func put(key, value string) step { return step{key, []byte(value)} }
func del(key string) step        { return step{key: key} }

func (s step) String() string {
	if s.value == nil {
		return "delete " + s.key
	}
	return fmt.Sprintf("put %s %.8q", s.key, s.value)
}

func (s step) after(before state) state {
	next := maps.Clone(before)
	if s.value == nil {
		delete(next, s.key)
	} else {
		next[s.key] = string(s.value)
	}
	return next
}

// store is what is under test: ours, a mutant of it, or another order of steps.
type store interface {
	Write(key string, data []byte) error
	Delete(key string) error
}

func (s step) do(st store) error {
	if s.value == nil {
		return st.Delete(s.key)
	}
	return st.Write(s.key, s.value)
}

// opener opens the store that is under test.
type opener func(fs *crashfs.FS) (store, error)

func ours(fs *crashfs.FS) (store, error) {
	return filestore.Open(storeDir, filestore.WithFS(fs))
}

// workload is a sequence of operations with a beginning.
type workload struct {
	name   string
	before state
	noDir  bool // the directory has to be made
	steps  []step
}

// states returns what the store holds after 0, 1, … steps.
func (w workload) states() []state {
	all := []state{w.before}
	for _, s := range w.steps {
		all = append(all, s.after(all[len(all)-1]))
	}
	return all
}

// run does the workload and marks each acknowledgement.
func (w workload) run(open opener) (*crashfs.FS, error) {
	fs := crashfs.New()
	if !w.noDir {
		if err := fs.Mkdir(storeDir, 0o755); err != nil {
			return nil, err
		}
	}
	for key, value := range w.before {
		if err := afero.WriteFile(fs, path.Join(storeDir, key), []byte(value), 0o600); err != nil {
			return nil, err
		}
	}
	fs.Checkpoint()
	st, err := open(fs)
	if err != nil {
		return nil, err
	}
	for i, s := range w.steps {
		if err := s.do(st); err != nil {
			return nil, fmt.Errorf("step %d, %v: %w", i, s, err)
		}
		fs.Mark(i)
	}
	if n := fs.OpenHandles(); n != 0 {
		return nil, fmt.Errorf("I10: %d handles open", n)
	}
	return fs, nil
}

// anyLeftovers spares the order of steps that is under test a look at its
// leftovers, so that only lost and torn values are counted.
const anyLeftovers = -1

// invariant is what must hold of every image: the store holds what it did after
// the acknowledged steps, or after one more.
func (w workload) invariant(writers int) func(crashfs.Image) error {
	states := w.states()
	return func(img crashfs.Image) error {
		acked := len(img.Acked)
		return recovered(img.FS, writers, states[acked:min(acked+2, len(states))]...)
	}
}

// recovered opens the store on an image and checks that it holds one of the
// given states and works.
func recovered(fs *crashfs.FS, writers int, allowed ...state) error {
	got, err := reopened(fs, writers)
	if err == nil && !got.among(allowed) {
		err = fmt.Errorf("I1–I4: store holds %.200q, want one of %.400q", got, allowed)
	}
	return err
}

func (s state) among(allowed []state) bool {
	return slices.ContainsFunc(allowed, func(want state) bool { return maps.Equal(s, want) })
}

// reopened opens the store on an image, returns what it holds, and checks that it
// works.
func reopened(fs *crashfs.FS, writers int) (state, error) {
	if n := len(temps(fs)); n > writers && writers != anyLeftovers {
		return nil, fmt.Errorf("I6: %d temporary files of %d writers", n, writers)
	}
	s, err := filestore.Open(storeDir, filestore.WithFS(fs))
	if err != nil {
		return nil, fmt.Errorf("I8: open: %w", err)
	}
	if left := temps(fs); len(left) != 0 && writers != anyLeftovers {
		return nil, fmt.Errorf("I6: %q left after Open", left)
	}
	got, err := contents(s)
	if err != nil {
		return nil, err
	}
	return got, usable(s, fs)
}

// contents reads everything, by the keys of List.
func contents(s *filestore.Store) (state, error) {
	keys, err := s.List()
	if err != nil {
		return nil, fmt.Errorf("I5: list: %w", err)
	}
	got := state{}
	for _, key := range keys {
		if err := filestore.ValidateKey(key); err != nil || strings.HasPrefix(key, ".") {
			return nil, fmt.Errorf("I5: listed %q: %w", key, err)
		}
		data, err := s.Read(key)
		if err != nil {
			return nil, fmt.Errorf("I1: read %q: %w", key, err)
		}
		got[key] = string(data)
	}
	return got, nil
}

func usable(s *filestore.Store, fs *crashfs.FS) error {
	const key, value = "k", "the next value"
	if err := s.Write(key, []byte(value)); err != nil {
		return fmt.Errorf("I8: the next write: %w", err)
	}
	if got, err := s.Read(key); err != nil || string(got) != value {
		return fmt.Errorf("I8: the next write gave %q: %w", got, err)
	}
	if n := fs.OpenHandles(); n != 0 {
		return fmt.Errorf("I10: %d handles open", n)
	}
	return nil
}

// temps lists all files that nobody asked for, wherever they are.
func temps(fsys afero.Fs) []string {
	var names []string
	_ = afero.Walk(fsys, "/", func(name string, info fs.FileInfo, err error) error {
		kept := strings.Contains(name, ".gen-") || strings.Contains(name, ".corrupt-")
		if err == nil && !info.IsDir() && !kept && (path.Dir(name) != storeDir || filestore.ValidateKey(info.Name()) != nil) {
			names = append(names, name)
		}
		return nil
	})
	return names
}

// explore runs a workload and checks every image of it.
func (w workload) explore(open opener, m crashfs.Model, writers int) (crashfs.Report, error) {
	fs, err := w.run(open)
	if err != nil {
		return crashfs.Report{}, fmt.Errorf("%s: %w", w.name, err)
	}
	return crashfs.Explore(fs, m, crashfs.Outcomes{}, w.invariant(writers)), nil
}

// kubeletOrder does what pkg/kubelet/util/store in Kubernetes 1.37 does, in its
// order: a temporary file, fsync, close, rename; removal without more. It is the
// control: what the tests find in it, they can find.
type kubeletOrder struct {
	fs  afero.Fs
	dir string
}

func kubelets(fs *crashfs.FS) (store, error) {
	return kubeletOrder{fs, storeDir}, fs.MkdirAll(storeDir, 0o755)
}

func (k kubeletOrder) Write(key string, data []byte) error {
	tmp, err := afero.TempFile(k.fs, k.dir, ".")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = k.fs.Rename(tmp.Name(), filepath.Join(k.dir, key))
	}
	if err != nil {
		return errors.Join(err, k.fs.Remove(tmp.Name()))
	}
	return nil
}

func (k kubeletOrder) Delete(key string) error {
	err := k.fs.Remove(filepath.Join(k.dir, key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
