package checksum

import (
	"hash/crc32"

	"k8s.io/utils/dump"
)

// Checksum is a sum as it stands in a file. FNV sums use the low 32 bits only;
// the type is wider because the kubelet's is, and because a stored value is
// compared in full: 1<<32 is not 0.
//
// The name of this type and of its package are part of the summed text of most
// formats ("Checksum:(checksum.Checksum)0").
type Checksum uint64

// New returns the sum of v as the kubelet computes it. It shares the defects of
// dump.ForHash that the package comment lists; for values that do not come from
// a decoder, [Sum] is the safe choice.
func New(v any) Checksum {
	return Checksum(fnvString(fnvBasis, dump.ForHash(v)))
}

// Verify compares cs with the sum of v and returns a [*CorruptCheckpointError]
// if they differ.
func (cs Checksum) Verify(v any) error {
	if actual := New(v); actual != cs {
		return &CorruptCheckpointError{ActualCS: uint64(actual), ExpectedCS: uint64(cs)}
	}
	return nil
}

// OfString returns New(s). Formats that keep their document as a JSON string in
// a member called data sum that string in this way.
func OfString(s string) Checksum {
	return Checksum(fnvString(fnvString(fnvBasis, "(string)"), s))
}

// CRC32 returns the IEEE CRC-32 of b, which the kubelet's state of dynamic
// resource allocation uses since 1.31.
func CRC32(b []byte) uint32 {
	return crc32.ChecksumIEEE(b)
}
