package fnvsearch

// Algorithm is a checksum that can be run backwards.
type Algorithm uint8

const (
	FNV1a Algorithm = iota // 32 bit
	CRC32                  // IEEE
)

const (
	fnvOffset  = 2166136261
	fnvPrime   = 16777619
	fnvInverse = 899433627 // fnvPrime · fnvInverse = 1 (mod 2³²)
	crcPoly    = 0xedb88320
)

// crcTable and its inverse by the top byte, which no two entries share.
var crcTable, crcByTop = func() (table [256]uint32, byTop [256]uint8) {
	for i := range table {
		c := uint32(i)
		for range 8 {
			c = c>>1 ^ crcPoly*(c&1)
		}
		table[i] = c
		byTop[c>>24] = uint8(i)
	}
	return table, byTop
}()

// start returns the state before the first byte.
func (a Algorithm) start() uint32 {
	if a == CRC32 {
		return ^uint32(0)
	}
	return fnvOffset
}

// final turns a sum into the state after the last byte, and back.
func (a Algorithm) final(sum uint32) uint32 {
	if a == CRC32 {
		return ^sum
	}
	return sum
}

func (a Algorithm) step(h uint32, c byte) uint32 {
	if a == CRC32 {
		return crcTable[byte(h)^c] ^ h>>8
	}
	return (h ^ uint32(c)) * fnvPrime
}

func (a Algorithm) back(h uint32, c byte) uint32 {
	if a == CRC32 {
		i := crcByTop[h>>24]
		return (h^crcTable[i])<<8 | uint32(i^c)
	}
	return h*fnvInverse ^ uint32(c)
}

// crcShifts[k] is what 2^k bytes do to the difference of two states: x^(8·2^k)
// modulo the polynomial, the highest power in the lowest bit.
var crcShifts = func() (list [32]uint32) {
	list[0] = 1 << (31 - 8)
	for k := 1; k < len(list); k++ {
		list[k] = crcMul(list[k-1], list[k-1])
	}
	return list
}()

// crcMul multiplies two polynomials modulo that of the CRC.
func crcMul(a, b uint32) (product uint32) {
	for bit := uint32(1) << 31; bit != 0; bit >>= 1 {
		if a&bit != 0 {
			product ^= b
		}
		b = b>>1 ^ crcPoly*(b&1)
	}
	return product
}

// crcShift returns what n bytes make of the difference of two states.
func crcShift(h uint32, n int) uint32 {
	for k := 0; n > 0; k, n = k+1, n>>1 {
		if n&1 != 0 {
			h = crcMul(crcShifts[k], h)
		}
	}
	return h
}

// solve returns the byte that leads from h to g.
func (a Algorithm) solve(h, g uint32) (byte, bool) {
	if a == CRC32 {
		g ^= h >> 8
		i := crcByTop[g>>24]
		return i ^ byte(h), crcTable[i] == g
	}
	c := g*fnvInverse ^ h
	return byte(c), c < 256
}
