package checksum

// FNV-1a with 32 bits. hash/fnv computes the same, but takes no strings and
// costs an allocation for each sum.
const (
	fnvBasis uint32 = 2166136261
	fnvPrime uint32 = 16777619
)

func fnvBytes(h uint32, b []byte) uint32 {
	for _, c := range b {
		h = (h ^ uint32(c)) * fnvPrime
	}
	return h
}

func fnvString(h uint32, s string) uint32 {
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * fnvPrime
	}
	return h
}
