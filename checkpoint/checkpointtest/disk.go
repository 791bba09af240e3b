package checkpointtest

import (
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/crashfs"
	"github.com/kubeckpt/ckpt/internal/faultfs"
)

// Disk is a file system in memory for the store of a State. Use NewDisk.
type Disk struct {
	memory *crashfs.FS
	calls  *faultfs.FS
}

// NewDisk returns an empty disk.
func NewDisk() *Disk { return newDisk(crashfs.New()) }

func newDisk(memory *crashfs.FS) *Disk { return &Disk{memory, faultfs.Wrap(memory)} }

// Option puts a State on the disk.
func (d *Disk) Option() checkpoint.Option { return checkpoint.WithStore(d.StoreOption()) }

// StoreOption puts a store on the disk.
func (d *Disk) StoreOption() filestore.Option { return filestore.WithFS(d.calls) }

// ReadFile returns what is in a file, without the calls that may fail.
func (d *Disk) ReadFile(name string) (data []byte, err error) {
	f, err := d.memory.Open(name)
	if err != nil {
		return nil, err
	}
	data, err = io.ReadAll(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return data, err
}

// WriteFile puts a file on the disk, durably, and makes its directory.
func (d *Disk) WriteFile(name string, data []byte) error {
	if err := d.memory.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := d.memory.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	d.memory.Checkpoint()
	return err
}

// Files returns the names of all regular files in a directory, hidden ones too.
func (d *Disk) Files(dir string) (names []string, err error) {
	f, err := d.memory.Open(dir)
	if err != nil {
		return nil, err
	}
	infos, err := f.Readdir(-1)
	for _, info := range infos {
		if info.Mode()&fs.ModeType == 0 {
			names = append(names, info.Name())
		}
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return names, err
}

// Acknowledge notes what a program has promised at this moment. Crashes gives
// what had been noted before the power was cut.
func (d *Disk) Acknowledge(v any) { d.memory.Mark(v) }
