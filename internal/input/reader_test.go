package input

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// put writes files under a new directory. A name that ends in "/" is a
// directory, a value that starts with "->" a symbolic link.
func put(t testing.TB, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	putIn(t, dir, files...)
	return dir
}

func putIn(t testing.TB, dir string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		path, text := filepath.Join(dir, files[i]), files[i+1]
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, ok := strings.CutPrefix(text, "->"); ok {
			err = os.Symlink(target, path)
		} else if strings.HasSuffix(files[i], "/") {
			err = os.MkdirAll(path, 0o755)
		} else {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// wantError checks the contract of an *Error: whose it is, why, and in words.
func wantError(t *testing.T, err error, path string, reason Reason, message string) {
	t.Helper()
	e, ok := err.(*Error)
	if !ok {
		t.Fatalf("error %v is a %T, want an *Error with reason %q", err, err, reason)
	}
	if e.Path != path || e.Reason != reason || !strings.Contains(e.Message, message) {
		t.Errorf("error is {%q %q %q},\nwant {%q %q …%q…}", e.Path, e.Reason, e.Message, path, reason, message)
	}
}

func TestReadFile(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 1<<12)
	dir := put(t, "state", `{"policyName":"none"}`, "empty", "", "nuls", "\x00\x00\x00", "long", long,
		"dir/", "", "link", "->state", "dirlink", "->dir", "dangling", "->nowhere", "a", "->b", "b", "->a")
	tests := []struct {
		name    string
		want    string
		reason  Reason
		errno   error
		message string
	}{
		{name: "state", want: `{"policyName":"none"}`},
		{name: "empty", want: ""},
		{name: "nuls", want: "\x00\x00\x00"},
		{name: "long", want: long},
		{name: "link", want: `{"policyName":"none"}`},
		{name: "missing", reason: Missing, errno: fs.ErrNotExist, message: "does not exist"},
		{name: "dir", reason: Directory, errno: syscall.EISDIR, message: "is a directory, not a regular file"},
		{name: "dirlink", reason: Directory, errno: syscall.EISDIR, message: "is a directory, not a regular file"},
		{name: "state/x", reason: NotDirectory, errno: syscall.ENOTDIR, message: "behind something that is not a directory"},
		{name: "dangling", reason: DanglingLink, errno: fs.ErrNotExist, message: `a symbolic link to "nowhere", which does not exist`},
		{name: "a", reason: SymlinkLoop, errno: syscall.ELOOP, message: "leads in a circle or through more than 40 symbolic links"},
		{name: strings.Repeat("x", 5000), reason: BadPath, errno: syscall.ENAMETOOLONG, message: "too long"},
		{name: "x\x00y", reason: BadPath, errno: syscall.EINVAL, message: "not a possible path"},
	}
	plain := func(name string) (*Reader, string) { return &Reader{}, dir + "/" + name }
	rooted := func(name string) (*Reader, string) { return &Reader{Root: dir}, "/" + name }
	for mode, reader := range map[string]func(string) (*Reader, string){"plain": plain, "rooted": rooted} {
		for _, tt := range tests {
			t.Run(mode+"/"+tt.name[:min(8, len(tt.name))], func(t *testing.T) {
				r, path := reader(tt.name)
				c, err := r.ReadFile(path, nil)
				if tt.reason != "" {
					wantError(t, err, path, tt.reason, tt.message)
					if !errors.Is(err, tt.errno) {
						t.Errorf("error %v does not wrap %v", err, tt.errno)
					}
					if len(c.Bytes) != 0 {
						t.Errorf("%d bytes next to the error", len(c.Bytes))
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if string(c.Bytes) != tt.want {
					t.Errorf("read %.60q, want %.60q", c.Bytes, tt.want)
				}
				if c.Size != int64(len(tt.want)) {
					t.Errorf("Size is %d, want %d", c.Size, len(tt.want))
				}
			})
		}
	}
}

func TestEmptyPath(t *testing.T) {
	for _, root := range []string{"", t.TempDir()} {
		_, err := (&Reader{Root: root}).ReadFile("", nil)
		wantError(t, err, "", BadPath, "is an empty path")
	}
}

func TestErrorText(t *testing.T) {
	_, err := (&Reader{}).ReadFile("no/such\x1bfile", nil)
	if got, want := err.Error(), `"no/such\x1bfile" does not exist`; got != want {
		t.Errorf("error is %s, want %s", got, want)
	}
}

// A file of 1 GiB costs no more memory than its head.
func TestSparseFileIsNotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sparse")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("head"); err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(1 << 30); err != nil {
		t.Fatal(err)
	}
	f.Close()
	c, err := (&Reader{}).ReadFile(path, nil)
	wantError(t, err, path, TooLarge, "has 1073741824 bytes, and no file of more than 33554432 is read")
	if !errors.Is(err, syscall.EFBIG) {
		t.Errorf("error %v does not wrap EFBIG", err)
	}
	if len(c.Bytes) != HeadSize || !bytes.HasPrefix(c.Bytes, []byte("head\x00")) {
		t.Errorf("got %d bytes %.10q, want the first %d", len(c.Bytes), c.Bytes, HeadSize)
	}
	if cap(c.Bytes) > 2*HeadSize {
		t.Errorf("%d bytes were allocated", cap(c.Bytes))
	}
}

func TestLimit(t *testing.T) {
	path := filepath.Join(put(t, "f", "12345678"), "f")
	for limit, ok := range map[int64]bool{0: true, 9: true, 8: true, 7: false, 1: false} {
		c, err := (&Reader{Limit: limit}).ReadFile(path, nil)
		switch {
		case ok && (err != nil || string(c.Bytes) != "12345678"):
			t.Errorf("limit %d: got %q, %v", limit, c.Bytes, err)
		case !ok:
			wantError(t, err, path, TooLarge, "has 8 bytes")
			if int64(len(c.Bytes)) > limit {
				t.Errorf("limit %d: got %d bytes", limit, len(c.Bytes))
			}
		}
	}
}

// endless counts what is read from it.
type endless struct{ given int }

func (e *endless) Read(p []byte) (int, error) {
	e.given += len(p)
	return copy(p, bytes.Repeat([]byte("x"), len(p))), nil
}

// A file that grows faster than it is read, or that lies about its size, ends
// at the byte beyond the limit.
func TestGrowingFile(t *testing.T) {
	const limit = 1 << 20
	for _, size := range []int64{0, 10, limit} {
		src := &endless{}
		b, err := (&Reader{Limit: limit}).fill("f", nil, src, size)
		wantError(t, err, "f", TooLarge, "has more than 1048576 bytes")
		if src.given != limit+1 || len(b) != HeadSize {
			t.Errorf("size %d: %d bytes were read and %d kept, want %d and %d", size, src.given, len(b), limit+1, HeadSize)
		}
		if cap(b) > 2*limit {
			t.Errorf("size %d: %d bytes were allocated", size, cap(b))
		}
	}
}

func TestShrinkingFile(t *testing.T) {
	b, err := (&Reader{}).fill("f", nil, strings.NewReader("short"), 1000)
	if err != nil || string(b) != "short" {
		t.Errorf("got %q, %v", b, err)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestReaderThatGivesNothing(t *testing.T) {
	_, err := (&Reader{}).fill("f", nil, stuck{}, 10)
	wantError(t, err, "f", IO, io.ErrNoProgress.Error())
}

type failing struct{ err error }

func (f failing) Read(p []byte) (int, error) { return copy(p, "part"), f.err }

func TestFailingRead(t *testing.T) {
	for _, errno := range []error{syscall.EIO, syscall.EINVAL} {
		b, err := (&Reader{}).fill("f", nil, failing{&fs.PathError{Op: "read", Path: "x", Err: errno}}, 10)
		wantError(t, err, "f", IO, "cannot be read: "+errno.Error())
		if !errors.Is(err, errno) || len(b) != 0 {
			t.Errorf("got %q, %v", b, err)
		}
	}
}

// One buffer serves file after file, whether they can be read or not.
func TestBufferIsReused(t *testing.T) {
	dir := put(t, "big", strings.Repeat("x", 5000), "small", "abc")
	r := &Reader{}
	c, err := r.ReadFile(dir+"/big", nil)
	if err != nil {
		t.Fatal(err)
	}
	first := &c.Bytes[:1][0]
	for _, name := range []string{"small", "missing", "", "big"} {
		c, _ = r.ReadFile(dir+"/"+name, c.Bytes)
		if &c.Bytes[:1][0] != first {
			t.Fatalf("the buffer was replaced at %q", name)
		}
	}
	if string(c.Bytes) != strings.Repeat("x", 5000) {
		t.Errorf("read %d bytes, %.20q", len(c.Bytes), c.Bytes)
	}
}
