package filestore

// maxKeyLength leaves five bytes of the usual 255 of a file name.
const maxKeyLength = 250

// ValidateKey reports whether key may name a checkpoint: letters, digits, '-',
// '_' and '.', beginning and ending with a letter or a digit, at most 250 bytes.
// It is the rule of pkg/kubelet/util/store, and it is what keeps a key from
// leaving the directory.
func ValidateKey(key string) error {
	if key == "" || len(key) > maxKeyLength || !alnum(key[0]) || !alnum(key[len(key)-1]) {
		return &InvalidKeyError{Key: key}
	}
	for i := range len(key) {
		if c := key[i]; !alnum(c) && c != '-' && c != '_' && c != '.' {
			return &InvalidKeyError{Key: key}
		}
	}
	return nil
}

func alnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
