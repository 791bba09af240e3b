package testchild_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/kubeckpt/ckpt/internal/testchild"
)

const role = "CKPT_TEST_TESTCHILD"

func TestMain(m *testing.M) {
	if values, ok := testchild.Values(role); ok {
		fmt.Printf("%q", values)
		os.Exit(7)
	}
	os.Exit(m.Run())
}

func TestValuesArrive(t *testing.T) {
	for _, values := range [][]string{nil, {""}, {"/a dir/with spaces", "", "a=b", "two\nlines", "0"}} {
		cmd, err := testchild.Command(role, values...)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := cmd.Output()
		if want := fmt.Sprintf("%q", values); string(out) != want || cmd.ProcessState.ExitCode() != 7 {
			t.Errorf("%s arrived, want %s: %v", out, want, cmd.ProcessState)
		}
	}
}
