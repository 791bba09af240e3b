package checksum

// MaxDepth bounds how deep structs, arrays, slices and maps may be nested in a
// value, and how long a chain of pointers may be. It is the depth to which
// encoding/json decodes.
const MaxDepth = 10_000

// Dump returns the text whose sum guards v. See the package comment.
func Dump(v any, names Names) (string, error) {
	b, err := AppendDump(nil, v, names)
	return string(b), err
}

// AppendDump appends the text to dst. On error it returns dst as it was.
func AppendDump(dst []byte, v any, names Names) ([]byte, error) {
	d := dumper{names: names, out: dst}
	if err := d.dump(v); err != nil {
		return dst, err
	}
	return d.out, nil
}

// Sum returns the sum of Dump(v, names) without keeping that text in memory.
func Sum(v any, names Names) (Checksum, error) {
	d := dumper{names: names, out: make([]byte, 0, 2*sumChunk), summing: true, sum: fnvBasis}
	if err := d.dump(v); err != nil {
		return 0, err
	}
	return Checksum(fnvBytes(d.sum, d.out)), nil
}
