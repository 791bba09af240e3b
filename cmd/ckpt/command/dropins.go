package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubeckpt/ckpt/internal/kubeletconfig"
)

const (
	// maxDropIns bounds the files of --config-dir, and maxWalked what lies there.
	maxDropIns = 1000
	maxWalked  = 100000
)

// readDropIns reads the files of a kubelet's --config-dir in the order in which
// it merges them: those of directories within it as well, by their names. Each
// that it would open must be read, or nothing is known.
func (o *node) readDropIns(cmd *cobra.Command, dir string) (all []kubeletconfig.File, err error) {
	if dir == "" {
		return nil, nil
	}
	names, err := o.dropInNames(dir)
	if errors.Is(err, errLinked) {
		note(cmd, dir+" is a symbolic link, and a kubelet does not follow it: no drop-in file counts")
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := o.reader(cmd)
	r.Limit = kubeletconfig.MaxSize
	for _, name := range names {
		c, err := r.ReadFile(name, nil)
		if err != nil {
			return nil, err
		}
		all = append(all, kubeletconfig.File{Name: name, Bytes: c.Bytes})
	}
	return all, nil
}

var errLinked = errors.New("a symbolic link")

// dropInNames walks as a kubelet does: what ends in .conf and is no directory
// counts, whatever it is; a link to a directory is not followed.
func (o *node) dropInNames(dir string) (names []string, err error) {
	tree, top := os.DirFS(dir), "."
	lstat := func(string) (fs.FileInfo, error) { return os.Lstat(dir) }
	if o.root != "" {
		root, err := os.OpenRoot(o.root)
		if err != nil {
			return nil, walkError(o.root, err)
		}
		defer root.Close()
		if tree, top = root.FS(), strings.TrimPrefix(path.Clean("/"+filepath.ToSlash(dir)), "/"); top == "" {
			top = "."
		}
		lstat = root.Lstat
	}
	// With a slash behind it, a link is followed.
	if info, err := lstat(top); err == nil && info.Mode()&fs.ModeSymlink != 0 && !strings.HasSuffix(dir, "/") {
		return nil, errLinked
	}
	walked := 0
	err = fs.WalkDir(tree, top, func(at string, e fs.DirEntry, err error) error {
		name := dir
		if at != top {
			name = strings.TrimSuffix(dir, "/") + "/" + strings.TrimPrefix(strings.TrimPrefix(at, top), "/")
		}
		switch walked++; {
		case err != nil:
			return walkError(name, err)
		case walked > maxWalked:
			return fmt.Errorf("%q holds more than %d files", dir, maxWalked)
		case at == top && !e.IsDir():
			return fmt.Errorf("%q is not a directory", dir)
		case e.IsDir() || path.Ext(e.Name()) != ".conf":
			return nil
		}
		if names = append(names, name); len(names) > maxDropIns {
			return fmt.Errorf("%q holds more than %d drop-in files", dir, maxDropIns)
		}
		return nil
	})
	return names, err
}

func walkError(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%q does not exist", name)
	}
	var e *fs.PathError
	if errors.As(err, &e) {
		err = e.Err
	}
	return fmt.Errorf("%q cannot be read: %w", name, err)
}
