package checksum_test

import (
	"sync"
	"testing"

	"github.com/kubeckpt/ckpt/checksum"
)

func TestOfString(t *testing.T) {
	type named string
	for _, s := range []string{"", "x", "{\"a\":1}", "\x00\xff\n"} {
		if got, want := checksum.OfString(s), checksum.New(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
		if checksum.OfString(s) == checksum.New(named(s)) {
			t.Errorf("%q: the type's name is not summed", s)
		}
	}
}

func TestCRC32(t *testing.T) {
	const check = 0xCBF43926 // the catalogued check value of CRC-32/ISO-HDLC
	if got := checksum.CRC32([]byte("123456789")); got != check {
		t.Errorf("got %#x", got)
	}
}

// TestLongText crosses the size at which Sum stops gathering text.
func TestLongText(t *testing.T) {
	for n := 900; n < 1200; n += 7 {
		s := string(make([]byte, n))
		for _, v := range []any{s, []byte(s), []string{s, "x", s}, map[string]any{s: []byte(s)}, make([]int8, n)} {
			if why := compare(t, v); why != "" {
				t.Fatalf("%T of %d: %s", v, n, why)
			}
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	v := benchMemory(20)
	want, err := checksum.Sum(v, knownNames)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 20 {
				if got, err := checksum.Sum(v, knownNames); err != nil || got != want {
					t.Errorf("got %d, %v", got, err)
				}
			}
		})
	}
	all.Wait()
}
