package filestore

import "errors"

// Update changes the value of key from what it is. No other Write, Delete or
// Update of this package comes in between, whichever process it is from. change
// gets nil if there is no value; if it returns nil or an error nothing is
// written. It must not call the store. Its error is in that of Update, and if that is
// a *NotDurableError or *UncertainError of another store, it says nothing of this one.
func (s *Store) Update(key string, change func(old []byte) ([]byte, error)) error {
	if err := ValidateKey(key); err != nil {
		return err
	}
	if change == nil {
		return opError("update", key, errors.New("there is no function to change it"))
	}
	return s.change("update", key, func() error {
		old, err := s.current(key)
		if err != nil && !errors.Is(err, ErrKeyNotFound) {
			return err
		}
		data, err := change(old)
		if err != nil || data == nil {
			return err
		}
		if n := int64(len(data)); n > s.maxSize {
			return &TooLargeError{Size: n, Limit: s.maxSize}
		}
		return s.write(key, data)
	})
}
