package filestore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// TempPattern matches the temporary files of this package, as path.Match does.
// They carry the key, so that a person who finds one knows what it was to be.
const TempPattern = tempPrefix + "*-????????????????" + tempSuffix

const (
	tempPrefix = ".ckpt-"
	tempSuffix = ".tmp"
	// tempKey is how much of a key fits beside prefix, 16 digits and suffix.
	tempKey   = 220
	tempTries = 16
)

func (s *Store) tempName(t target) string {
	key := t.key
	if len(key) > tempKey {
		key = key[:tempKey]
	}
	return filepath.Join(t.dir, fmt.Sprintf("%s%s-%016x%s", tempPrefix, key, s.random(), tempSuffix))
}

// isTemp is stricter than TempPattern, because what it says is removed.
func isTemp(name string) bool {
	name, ok := strings.CutPrefix(name, tempPrefix)
	if !ok {
		return false
	}
	name, ok = strings.CutSuffix(name, tempSuffix)
	if !ok || len(name) < 18 || name[len(name)-17] != '-' {
		return false
	}
	return ValidateKey(name[:1]) == nil && strings.Trim(name[len(name)-16:], "0123456789abcdef") == ""
}

// createTemp creates a file that nobody else has, with O_EXCL: a name that is
// there already, be it a link set as a trap, is never opened.
func (s *Store) createTemp(t target) (File, error) {
	var err error
	for range tempTries {
		var f File
		f, err = s.fs.OpenFile(s.tempName(t), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return nil, err
}
