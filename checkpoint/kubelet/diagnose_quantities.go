package kubelet

import (
	"math/big"
	"strconv"
	"strings"
	"sync"
)

// quantities tries each amount in the other forms that mean the same, and the
// amounts that people ask for.
func (s *search) quantities() {
	s.eachQuantity(func(t *token) []string { return otherForms(t.value) })
	if len(s.hits) == 0 {
		s.eachQuantity(func(t *token) []string { return usualQuantities(strings.HasSuffix(t.path, `["cpu"]`)) })
	}
}

// eachQuantity tries other values in the place of each amount.
func (s *search) eachQuantity(others func(*token) []string) {
	for i := range s.sk.tokens {
		t := &s.sk.tokens[i]
		if t.role != roleQuantity || t.key {
			continue
		}
		if s.d.stopped() {
			return
		}
		for _, q := range others(t) {
			s.value(i, q)
		}
	}
}

// quantitySuffixes with what they multiply by.
var quantitySuffixes = sync.OnceValue(func() map[string]*big.Rat {
	all := map[string]*big.Rat{"": big.NewRat(1, 1), "m": big.NewRat(1, 1000), "u": big.NewRat(1, 1_000_000), "n": big.NewRat(1, 1_000_000_000)}
	decimal, binary := int64(1), int64(1)
	for _, unit := range []string{"k", "M", "G", "T", "P", "E"} {
		decimal, binary = decimal*1000, binary*1024
		all[unit] = big.NewRat(decimal, 1)
		all[strings.ToUpper(unit)+"i"] = big.NewRat(binary, 1)
	}
	return all
})

// suffixOrder keeps what is tried the same in each run.
var suffixOrder = strings.Split(",m,u,n,k,M,G,T,P,E,Ki,Mi,Gi,Ti,Pi,Ei", ",")

// otherForms spells an amount, as it is and with each suffix, as whole numbers and with up to
// three decimals.
func otherForms(value string) (list []string) {
	const long = 40
	digits := strings.TrimRight(value, "mnukMGTPEi")
	unit := quantitySuffixes()[value[len(digits):]]
	if len(value) > long || unit == nil || strings.Trim(digits, "0123456789.-+") != "" {
		return nil
	}
	n, ok := new(big.Rat).SetString(digits)
	if !ok {
		return nil
	}
	n.Mul(n, unit)
	for _, suffix := range suffixOrder {
		q := new(big.Rat).Quo(n, quantitySuffixes()[suffix])
		for decimals := range 4 {
			text := q.FloatString(decimals)
			if back, ok := new(big.Rat).SetString(text); ok && back.Cmp(q) == 0 && len(text) <= 20 {
				list = append(list, text+suffix)
			}
		}
	}
	return list
}

// usualQuantities are amounts of CPU, or of memory and other things.
func usualQuantities(cpu bool) []string {
	if cpu {
		return usualCPU()
	}
	return usualMemory()
}

var usualCPU = sync.OnceValue(func() (list []string) {
	for n := range 257 {
		list = append(list, strconv.Itoa(n))
	}
	for n := 1; n < 2000; n++ {
		if n < 100 || n%5 == 0 {
			list = append(list, strconv.Itoa(n)+"m")
		}
	}
	for n := 2000; n <= 64_000; n += 100 {
		list = append(list, strconv.Itoa(n)+"m")
	}
	return list
})

var usualMemory = sync.OnceValue(func() (list []string) {
	for _, unit := range []string{"Mi", "M"} {
		for n := range 2049 {
			list = append(list, strconv.Itoa(n)+unit)
		}
		for n := 2176; n <= 64*1024; n += 128 {
			list = append(list, strconv.Itoa(n)+unit)
		}
	}
	for _, unit := range []string{"Gi", "G", "Ti", "T", "Ki", "k", ""} {
		for n := range 513 {
			list = append(list, strconv.Itoa(n)+unit)
		}
	}
	for n := uint64(1); n <= 64; n++ {
		list = append(list, strconv.FormatUint(n*gib, 10), strconv.FormatUint(n*16*mib, 10), strconv.FormatUint(n*mib, 10), strconv.FormatUint(n*1_000_000_000, 10))
	}
	return list
})
