package filestore

import (
	"io/fs"
	"sort"
)

// List returns the keys in order. Names that cannot be keys, hidden ones among
// them, directories, and the backups of Replace are left out.
func (s *Store) List() ([]string, error) {
	infos, err := s.readDir(s.dir)
	if err != nil {
		return nil, opError("list", "", err)
	}
	keys := make([]string, 0, len(infos))
	for _, info := range infos {
		if !info.IsDir() && ValidateKey(info.Name()) == nil && !isBackup(info.Name()) {
			keys = append(keys, info.Name())
		}
	}
	return keys, nil
}

// readDir returns the entries of a directory in order, links not followed.
func (s *Store) readDir(dir string) ([]fs.FileInfo, error) {
	d, err := s.fs.Open(dir)
	if err != nil {
		return nil, err
	}
	defer closeDir(d)
	infos, err := d.Readdir(-1)
	if err != nil {
		return nil, err
	}
	sortByName(infos)
	return infos, nil
}

func sortByName(infos []fs.FileInfo) {
	sort.Slice(infos, func(i, j int) bool { return infos[i].Name() < infos[j].Name() })
}
