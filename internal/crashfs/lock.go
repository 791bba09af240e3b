package crashfs

import "errors"

// TryLock makes FS a filestore.System. Locks are not on the disk: a crash drops
// them, and no lock file is made.
func (f *FS) TryLock(name string, shared bool, _ string) (unlock func() error, ok bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	held := f.locks[name] // -1 alone, else the number that share
	if held < 0 || held > 0 && !shared {
		return nil, false, nil
	}
	step := 1
	if !shared {
		step = -1
	}
	f.locks[name] += step
	return func() error {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.locks[name] == 0 {
			return errors.New("unlocked twice")
		}
		f.locks[name] -= step
		return nil
	}, true, nil
}

// CopyAttributes does nothing: there are none.
func (f *FS) CopyAttributes(string, string) error { return nil }
