package main

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
)

var (
	signs   = []string{"", "+", "-"}
	numbers = []string{
		"", "0", "00", "1", "2", "5", "7", "8", "10", "16", "100", "250", "500", "512", "999", "1000", "1023", "1024", "1025",
		"1500", "2048", "10000", "100000", "1048576", "007", "0100", ".", ".5", "0.5", "5.", "1.0", "1.5", "1.25", "1.500", "1.000",
		"0.1", "0.001", "0.0001", "0.000000001", "0.0000000001", "0.0000000000", "1.0000000001", "100.000", "12.345678901234567890",
		"99999999999999", "999999999999999", "9007199254740993", "99999999999999999", "999999999999999999", "1000000000000000000",
		"9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "100000000000000000000000",
		"0.000000000000000000000000001", "340282366920938463463374607431768211456", "1.1.1", "..", "1..5",
		"0.0009765625", "0.00097656250000001", "0.00097656249", // 1/1024 and its neighbours
		"9007199254740991.9990234375", "9007199254740991.9990234376", "9007199254740991.9990234374", // (2^63-1)/1024
	}
	suffixes = []string{
		"", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "K", "i", "e", "mi", "ni", "KiKi", "B",
		"e0", "e1", "e2", "e3", "E3", "e+3", "e-3", "e6", "e18", "e19", "e21", "e-1", "e-9", "e-10", "e-12", "e-100", "e100",
		"e999", "e1.5", "ee3", "eE3", "Ee", "e+", "e-", "m3", "k-1", "3m", " m", "e2147483647", "e2147483646", "e2147483648",
		"e-2147483648", "e4294967296", "e4294967299", "e9223372036854775807", "e9223372036854775808", "e-9223372036854775808",
	}
	documents = []string{
		"null", " null ", "nul", "true", "false", "[]", "{}", `[1]`, `{"a":1}`, `""`, `" "`, `"`, "", " ", "1", "-1", "+1", "0", "-0",
		"00", "0.5", "1e3", "1E3", "1e+3", "1.5e-3", "1e400", "1_000", "0x10", "1,5", `"5m" `, `"5m"x`, `" 5m"`, `"5m "`, `"\u0035m"`,
		`"5\u006d"`, `"5m\n"`, "\"5m\n\"", "\"\u00a05m\u00a0\"", "\"\u30005m\"", "\"\u00855m\"", "\"\ufeff5m\"", "\"5\xffm\"", `"５m"`,
		`"٣"`, `"5µ"`, `"1 Gi"`, `"- 1"`, `"--1"`, `"+-1"`, `"1+"`, `"1-"`, `"1+1"`, `"1m+"`, `"1e3e3"`, `"null"`, `"NaN"`, `"inf"`, `"'1'"`,
		"5m", `'5m'`, `"5m`, `5m"`, "\t5m\t", "nullx", "NULL",
	}
)

// vectors returns the same inputs in every run.
func vectors() []vector {
	var vs []vector
	seen := map[string]bool{}
	add := func(via, in string) {
		if !costly(in) && !seen[via+in] {
			seen[via+in] = true
			vs = append(vs, vector{via, []string{in}})
		}
	}
	for _, d := range documents {
		add("json", d)
		add("raw", d)
	}
	for _, sign := range signs {
		for i, n := range numbers {
			for j, s := range suffixes {
				if sign == "" || (i+j)%5 == 0 { // a fifth of the signed ones will do
					add("json", quote(sign+n+s))
				}
			}
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 4000 {
		s := random(rnd)
		add("json", quote(s))
		if i%8 == 0 {
			add("raw", s)
		}
	}
	for range 3000 {
		add("raw", mutate(rnd, quote(random(rnd))))
	}
	for range 400 {
		a, b := quote(random(rnd)), documents[rnd.IntN(len(documents))]
		if !costly(a) {
			vs = append(vs, vector{"json", []string{a, b}}, vector{"json", []string{b, a}})
		}
	}
	return vs
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// random makes a quantity that is valid more often than not.
func random(rnd *rand.Rand) string {
	digits := func(most int) string {
		var b strings.Builder
		for range rnd.IntN(most + 1) {
			d := rnd.IntN(14)
			if d > 9 {
				d = 0 // zeros matter more than other digits
			}
			b.WriteByte(byte('0' + d))
		}
		return b.String()
	}
	s := signs[max(0, rnd.IntN(9)-6)] + digits(1+rnd.IntN(24))
	if rnd.IntN(3) == 0 {
		s += "." + digits(1+rnd.IntN(16))
	}
	switch rnd.IntN(8) {
	case 0:
		s += "e" + strconv.Itoa(rnd.IntN(60)-30)
	case 1:
		s += "E" + strconv.Itoa(rnd.IntN(1<<32)-1<<31)
	case 2:
	default:
		s += suffixes[rnd.IntN(16)]
	}
	return s
}

func mutate(rnd *rand.Rand, s string) string {
	const alphabet = "0123456789+-.eEinumkKMGTP \"\\\t\n\x00\u00a0xµ\xff"
	b := []byte(s)
	for range 1 + rnd.IntN(3) {
		i := rnd.IntN(len(b) + 1)
		c := alphabet[rnd.IntN(len(alphabet))]
		switch {
		case rnd.IntN(3) == 0 || i == len(b):
			b = append(b[:i], append([]byte{c}, b[i:]...)...)
		case rnd.IntN(2) == 0:
			b[i] = c
		default:
			b = append(b[:i], b[i+1:]...)
		}
	}
	return string(b)
}

var exponential = regexp.MustCompile(`^\D*([0-9.]*)[eE]([+-]?[0-9]+)`)

// costly reports whether apimachinery would compute with more than some ten
// thousand digits. Package quantity gives up on some of these, see its ErrTooLarge.
func costly(in string) bool {
	m := exponential.FindStringSubmatch(in)
	if m == nil {
		return false
	}
	long, _ := strconv.ParseInt(m[2], 10, 64)
	e := int32(long)
	return e < -4000 || e > 3000 && len(m[1]) > 17 || e > 2147483000 && strings.Contains(m[1], ".")
}
