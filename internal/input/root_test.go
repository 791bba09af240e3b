package input

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// backends are the ways to walk that this system has: its own, and the one by
// os.Root, which it has in any case.
var backends = map[string]func(string) (step, error){"native": openTop, "os.Root": openRootStep}

// readVia walks from root to path by one of the backends and reads what is there.
func readVia(open func(string) (step, error), root, path string) (string, error) {
	top, err := open(root)
	if err != nil {
		return "", err
	}
	w := &walk{way: []step{top}}
	defer w.close()
	if err := w.follow(path); err != nil {
		return "", err
	}
	if err := kindError(path, w.mode()); err != nil {
		return "", err
	}
	f, err := w.open()
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	return string(b), err
}

// tree makes a host under <dir>/host and secrets beside it, and gives both.
func tree(t testing.TB) (dir, root string) {
	t.Helper()
	dir = put(t,
		"secret", "outside", "etc/passwd", "outside", "kubelet/state", "outside",
		"host/etc/passwd", "inside", "host/kubelet/state", "inside", "host/mnt/data/kubelet/state", "inside",
	)
	root = filepath.Join(dir, "host")
	putIn(t, root,
		"var/lib/kubelet", "->/mnt/data/kubelet", // as on a node with a data disk
		"abs", "->"+dir+"/secret",
		"absdir", "->"+dir,
		"up", "->../secret",
		"upup", "->../../../../../../../../../../etc/passwd",
		"updir", "->..",
		"mnt/updir", "->../..",
		"slash", "->/",
		"chain1", "->chain2", "chain2", "->/chain3", "chain3", "->mnt/../up",
		"deep/a/b/c", "->../../../../secret",
		"deep/ok", "->../etc/./passwd",
		"deep/back", "->/../../etc/passwd",
		"magic", "->/proc/self/root",
		"loop", "->loop", "ping", "->pong", "pong", "->ping", "grow", "->grow/x",
		"trailing", "->/etc/passwd/",
	)
	return dir, root
}

func TestRoot(t *testing.T) {
	dir, root := tree(t)
	tests := []struct {
		path string
		want string
		err  error
	}{
		{path: "/etc/passwd", want: "inside"},
		{path: "etc/passwd", want: "inside"},
		{path: "//etc//./passwd", want: "inside"},
		{path: "../etc/passwd", want: "inside"},
		{path: "/../../../etc/passwd", want: "inside"},
		{path: "mnt/../etc/passwd", want: "inside"},
		{path: "mnt/../../etc/passwd", want: "inside"},
		{path: "/var/lib/kubelet/state", want: "inside"},
		{path: "/var/lib/kubelet/../kubelet/state", want: "inside"},
		{path: "/var/lib/kubelet/../../../kubelet/state", want: "inside"},
		{path: "upup", want: "inside"},
		{path: "updir/etc/passwd", want: "inside"},
		{path: "mnt/updir/etc/passwd", want: "inside"},
		{path: "mnt/updir/updir/updir/kubelet/state", want: "inside"},
		{path: "slash/slash/slash/etc/passwd", want: "inside"},
		{path: "deep/ok", want: "inside"},
		{path: "deep/back", want: "inside"},
		{path: "/" + strings.Repeat("mnt/../", 300) + "etc/passwd", want: "inside"},

		{path: "secret", err: syscall.ENOENT},
		{path: "../secret", err: syscall.ENOENT},
		{path: dir + "/secret", err: syscall.ENOENT},
		{path: "abs", err: syscall.ENOENT},
		{path: "absdir/secret", err: syscall.ENOENT},
		{path: "up", err: syscall.ENOENT},
		{path: "updir/secret", err: syscall.ENOENT},
		{path: "updir/host/etc/passwd", err: syscall.ENOENT},
		{path: "chain1", err: syscall.ENOENT},
		{path: "deep/a/b/c", err: syscall.ENOENT},
		{path: "magic/etc/passwd", err: syscall.ENOENT},
		{path: "missing/../etc/passwd", err: syscall.ENOENT},

		{path: "loop", err: syscall.ELOOP},
		{path: "ping", err: syscall.ELOOP},
		{path: "grow", err: syscall.ELOOP},
		{path: strings.Repeat("slash/", 41) + "etc/passwd", err: syscall.ELOOP},
		{path: strings.Repeat("slash/", 40) + "etc/passwd", want: "inside"},

		{path: "etc/passwd/", err: syscall.ENOTDIR},
		{path: "etc/passwd/.", err: syscall.ENOTDIR},
		{path: "etc/passwd/..", err: syscall.ENOTDIR},
		{path: "etc/passwd/x", err: syscall.ENOTDIR},
		{path: "trailing", err: syscall.ENOTDIR},

		{path: "/", err: syscall.EISDIR},
		{path: "..", err: syscall.EISDIR},
		{path: "updir", err: syscall.EISDIR},
		{path: "/var/lib/kubelet", err: syscall.EISDIR},
		{path: "/var/lib/kubelet/", err: syscall.EISDIR},
	}
	for name, open := range backends {
		for _, tt := range tests {
			t.Run(name+" "+tt.path[:min(40, len(tt.path))], func(t *testing.T) {
				got, err := readVia(open, root, tt.path)
				if got != tt.want || !errors.Is(err, tt.err) {
					t.Errorf("got %q, %v; want %q, %v", got, err, tt.want, tt.err)
				}
			})
		}
	}
}

// A path may be deeper than the walk is willing to go, but not hang or crash it.
func TestDeepPath(t *testing.T) {
	root := t.TempDir()
	deep := strings.Repeat("d/", maxDepth+1)
	if err := os.MkdirAll(filepath.Join(root, deep), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, open := range backends {
		if _, err := readVia(open, root, deep); !errors.Is(err, syscall.ENAMETOOLONG) {
			t.Errorf("%s: error is %v, want ENAMETOOLONG", name, err)
		}
		if _, err := readVia(open, root, deep[2:]); !errors.Is(err, syscall.EISDIR) {
			t.Errorf("%s: error one less deep is %v, want EISDIR", name, err)
		}
	}
}

func TestDanglingInRoot(t *testing.T) {
	root := put(t, "dir/file", "x", "link", "->dir", "gone", "->/not/here", "half", "->dir/nothing", "via", "->gone")
	tests := []struct {
		path    string
		reason  Reason
		message string
	}{
		{"link/nothing", Missing, "does not exist"}, // the link is fine
		{"gone", DanglingLink, `"/not/here"`},
		{"gone/x", DanglingLink, `"/not/here"`},
		{"half", DanglingLink, `"dir/nothing"`},
		{"via", DanglingLink, `"gone"`},
	}
	for _, tt := range tests {
		_, err := (&Reader{Root: root}).ReadFile(tt.path, nil)
		wantError(t, err, tt.path, tt.reason, tt.message)
	}
}

func TestBadRoot(t *testing.T) {
	dir := put(t, "file", "x")
	for root, errno := range map[string]error{dir + "/none": fs.ErrNotExist, dir + "/file": nil} {
		_, err := (&Reader{Root: root}).ReadFile("x", nil)
		wantError(t, err, "x", BadRoot, "cannot be looked up in the root")
		if errno != nil && !errors.Is(err, errno) {
			t.Errorf("error %v does not wrap %v", err, errno)
		}
	}
}
