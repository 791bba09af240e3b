package filestore_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/kubeckpt/ckpt/internal/testchild"
)

// amount is how often a test that draws moments at random repeats. The variables
// CKPT_CUTS and CKPT_KILLS raise it; docs/durability.md has the figures of a long
// run.
func amount(variable string, normal int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return normal
}

// fastDir is a directory in memory, if there is one: how fast a disk is makes no
// difference to a process that is killed. The space in its name is one that a
// directory may have.
func fastDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "ckpt test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// sequential skips a long test under the race detector if no two goroutines of this
// process meet in it.
func sequential(t *testing.T) {
	t.Helper()
	if underRace {
		t.Skip("nothing in it can race")
	}
}

// skipError says why a test cannot run here.
type skipError struct{ error }

func TestMain(m *testing.M) {
	if values, ok := testchild.Values(childRole); ok {
		os.Exit(child(values))
	}
	os.Exit(m.Run())
}
