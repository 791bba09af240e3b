package filestore

// Write sets the value of key. When it returns nil the value is on disk. A value
// that is there already is not written again.
//
// On a *NotDurableError the new value is visible but may be lost, on an
// *UncertainError either may be there, on any other error the old value is.
func (s *Store) Write(key string, data []byte) error {
	if err := s.checkValue(key, data); err != nil {
		return err
	}
	return s.change("write", key, func() error { return s.write(key, data) })
}

func (s *Store) write(key string, data []byte) (err error) {
	defer func() { s.remember(key, err) }()
	t, err := s.resolve(key, s.symlinks == FollowSymlinks)
	if err != nil {
		return err
	}
	if s.unchanged(t, data) {
		return s.settle(t)
	}
	undo, err := s.keepGeneration(t, data)
	if err != nil {
		return err
	}
	if err := s.put(t, data); err != nil {
		if nothingChanged(err) {
			undo()
		}
		return err
	}
	s.pruneGenerations(key)
	return nil
}

// unchanged reports whether a write may be spared. If the file cannot be read to
// find out, it is written.
func (s *Store) unchanged(t target, data []byte) bool {
	if t.info == nil || s.unsure[t.key] || t.info.Size() != int64(len(data)) {
		return false
	}
	same, err := s.holds(t.path, data)
	return same && err == nil
}

// settle makes what is visible durable. Its bytes may come from a process that
// was killed between its rename and its fsync, or from one that does none.
func (s *Store) settle(t target) error {
	if s.durability == Volatile {
		return nil
	}
	dir, err := s.openDir(t.dir)
	if err != nil {
		return &NotDurableError{Path: t.path, Err: err}
	}
	defer closeDir(dir)
	f, err := s.fs.OpenFile(t.path, syncMode|openFlags, 0)
	if err != nil {
		return &NotDurableError{Path: t.path, Err: err}
	}
	err = f.Sync()
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = s.syncDir(dir)
	}
	if err != nil {
		return &NotDurableError{Path: t.path, Err: err}
	}
	return nil
}
