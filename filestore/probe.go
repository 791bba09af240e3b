package filestore

// Probe finds out whether the directory can be written to durably, by writing a
// temporary file and removing it: whether there is room and permission, whether
// the file system is mounted read-only, and whether it can fsync a directory.
// It is for start-up, when there is still somebody to tell.
func (s *Store) Probe() error {
	return s.change("probe", "", func() error {
		t := target{key: "probe", dir: s.dir}
		dir, err := s.openDir(t.dir)
		if err != nil {
			return err
		}
		defer closeDir(dir)
		tmp, err := s.createTemp(t)
		if err != nil {
			return err
		}
		err = s.fill(tmp, t, []byte("probe\n"))
		if rerr := s.fs.Remove(tmp.Name()); err == nil {
			err = rerr
		} else {
			err = withCleanup(err, rerr)
		}
		if err == nil {
			err = s.syncDir(dir)
		}
		return err
	})
}
