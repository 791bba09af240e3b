//go:build unix

package input

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// within fails the test if f hangs. The limit is far beyond any honest time.
func within(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("hangs")
	}
}

// both reads path as it is and again under the root "/".
func both(t *testing.T, path string, check func(Contents, error)) {
	t.Helper()
	for _, root := range []string{"", "/"} {
		within(t, func() { check((&Reader{Root: root}).ReadFile(path, nil)) })
	}
}

// realTemp is a temporary directory that is reached without links, so that it
// has the same path under the root "/" (macOS has /var -> private/var).
func realTemp(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestFIFOWithoutWriter(t *testing.T) {
	path := filepath.Join(realTemp(t), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	both(t, path, func(_ Contents, err error) {
		wantError(t, err, path, FIFO, "is a named pipe, not a regular file")
	})
	// Also when the look came too early and the pipe is opened after all.
	within(t, func() {
		f, err := plain{path: path}.open()
		if err != nil {
			t.Error(err)
			return
		}
		f.Close()
	})
}

func TestSocket(t *testing.T) {
	dir, err := os.MkdirTemp("", "s") // t.TempDir may be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "kubelet.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	both(t, path, func(_ Contents, err error) {
		wantError(t, err, path, Socket, "is a socket, not a regular file")
	})
}

func TestDevices(t *testing.T) {
	for _, path := range []string{"/dev/null", "/dev/zero"} {
		both(t, path, func(_ Contents, err error) {
			wantError(t, err, path, Device, "is a character device, not a regular file")
		})
	}
}

func TestBlockDevice(t *testing.T) {
	found, _ := filepath.Glob("/dev/[vsn][dv]*")
	for _, path := range append(found, "/dev/loop0") {
		if info, err := os.Stat(path); err == nil && info.Mode()&os.ModeDevice != 0 && info.Mode()&os.ModeCharDevice == 0 {
			both(t, path, func(_ Contents, err error) {
				wantError(t, err, path, Device, "is a block device, not a regular file")
			})
			return
		}
	}
	t.Skip("no block device here")
}

// Standard input may be anything, but not without end.
func TestEndlessStdin(t *testing.T) {
	zero, err := os.Open("/dev/zero")
	if err != nil {
		t.Fatal(err)
	}
	defer zero.Close()
	r := &Reader{Stdin: zero, Limit: 1 << 20}
	for item := range r.Expand([]string{"-"}) {
		c, err := item.Load(nil)
		wantError(t, err, "-", TooLarge, "has more than 1048576 bytes")
		if len(c.Bytes) != HeadSize {
			t.Errorf("got %d bytes, want the first %d", len(c.Bytes), HeadSize)
		}
	}
}

func TestStdinThatIsADirectory(t *testing.T) {
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	for item := range (&Reader{Stdin: dir}).Expand([]string{"-"}) {
		_, err := item.Load(nil)
		wantError(t, err, "-", Directory, "is a directory, not a regular file")
		if !errors.Is(err, syscall.EISDIR) {
			t.Errorf("error %v does not wrap EISDIR", err)
		}
	}
}
