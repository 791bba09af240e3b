package filestore

import (
	"cmp"
	"io/fs"
)

// keptMode is what chmod sets.
const keptMode = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// keepAttributes gives the temporary file what the file it will replace has. It
// comes before the fsync, which covers attributes too: the new file must not
// become visible with a label or mode that nobody may read.
func (s *Store) keepAttributes(tmp File, t target) error {
	if t.info == nil || s.attributes == DropAttributes {
		return nil
	}
	info, err := tmp.Stat()
	if err != nil {
		return err
	}
	// Owner first: chown clears setuid and setgid.
	err = s.forgive(s.keepOwner(tmp.Name(), info, t.info))
	if err == nil {
		err = s.forgive(s.keepMode(tmp.Name(), info, t.info))
	}
	if err == nil {
		err = s.forgive(s.fs.CopyAttributes(cmp.Or(t.like, t.path), tmp.Name()))
	}
	return err
}

// forgive drops an error if attributes need only be tried.
func (s *Store) forgive(err error) error {
	if err != nil && s.attributes == TryAttributes {
		s.log.Debug("attribute not kept", "error", err)
		return nil
	}
	return err
}

func (s *Store) keepOwner(tmp string, have, want fs.FileInfo) error {
	haveUID, haveGID, _ := ownerOf(have)
	uid, gid, ok := ownerOf(want)
	if !ok || uid == haveUID && gid == haveGID {
		return nil
	}
	if err := s.fs.Chown(tmp, uid, gid); err != nil {
		return &KeepOwnerError{UID: uid, GID: gid, Err: err}
	}
	return nil
}

func (s *Store) keepMode(tmp string, have, want fs.FileInfo) error {
	if have.Mode()&keptMode == want.Mode()&keptMode {
		return nil
	}
	return s.fs.Chmod(tmp, want.Mode()&keptMode)
}
