package command

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// recorder keeps each write apart.
type recorder struct {
	mu     sync.Mutex
	writes []string
	err    error
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writes = append(r.writes, string(p))
	return len(p), r.err
}

func (r *recorder) got() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.writes
}

func TestDelayedCollects(t *testing.T) {
	var r recorder
	d := newDelayed(&r)
	long := strings.Repeat("x", writeFrom/4)
	for range 9 {
		if n, err := d.Write([]byte(long)); n != len(long) || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(r.got(), ""); text != strings.Repeat(long, 9) {
		t.Errorf("%d bytes came out of %d", len(text), 9*len(long))
	}
	if err := d.close(); err != nil || len(r.got()[0]) == 0 {
		t.Errorf("a second close: %v, first write of %d bytes", err, len(r.got()[0]))
	}
}

// A line does not wait for the next.
func TestDelayedIsNotHeldUp(t *testing.T) {
	var r recorder
	d := newDelayed(&r)
	for _, line := range []string{"one\n", "two\n"} {
		if _, err := d.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
		for start := time.Now(); !strings.HasSuffix(strings.Join(r.got(), ""), line); time.Sleep(time.Millisecond) {
			if time.Since(start) > 30*time.Second {
				t.Fatalf("%q does not come", line)
			}
		}
	}
}

func TestDelayedFailure(t *testing.T) {
	full := errors.New("disk full")
	r := recorder{err: full}
	d := newDelayed(&r)
	d.Write([]byte("lost\n"))
	if err := d.close(); err != full {
		t.Errorf("close returns %v", err)
	}
	if _, err := d.Write([]byte("more")); err != full || len(r.got()) != 1 {
		t.Errorf("a write after that returns %v; %d writes", err, len(r.got()))
	}
}
