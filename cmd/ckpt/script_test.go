package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kubeckpt/ckpt/cmd/ckpt/command"
)

var update = flag.Bool("update", false, "rewrite the expected outputs in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ckpt": func() {
		env := command.System()
		env.Patience = 10 * time.Minute // however slow the machine is
		os.Exit(command.Run(env, os.Args[1:]))
	}})
}

// Each script of testdata/script says in its comments what it guards. Beside
// the commands of testscript it has
//
//	copies N FILE DIR            copy a file N times
//	exits CODE COMMAND ARG...    run a command that must end with CODE
//	snapshot DIR                 remember all there is to see of DIR
//	unchanged DIR                compare with what was remembered
//	lines stdout|stderr N        count the lines of the last output
//	powerless CODE COMMAND ...   exits, without root's right to read everything
//	fifo FILE                    make a named pipe
//	nuls N FILE                  make a file of N NUL bytes that takes no space
//	archive FILE NAME...         make a tar archive of files with these names
//
// and the environment variables KUBELETS and REPORTS, the directories of files
// written by real kubelets and pasted by people.
func TestScripts(t *testing.T) {
	testdata, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("KUBELETS", filepath.Join(testdata, "kubelets"))
			env.Setenv("REPORTS", filepath.Join(testdata, "reports"))
			env.Values[snapshotsKey{}] = make(map[string]seen)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"archive":   archive,
			"copies":    copies,
			"exits":     exits,
			"fifo":      fifo,
			"lines":     lines,
			"nuls":      nuls,
			"powerless": powerless,
			"snapshot":  snapshot,
			"unchanged": unchanged,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARG...")
	}
	ts.Check(exitsWith(ts, args[0], args[1:]))
}

func exitsWith(ts *testscript.TestScript, code string, command []string) error {
	got := "0"
	err := ts.Exec(command[0], command[1:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = strconv.Itoa(exit.ExitCode())
	case err != nil:
		return err
	}
	if got != code {
		return fmt.Errorf("exit code %s, want %s", got, code)
	}
	return nil
}

func lines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines stdout|stderr N")
	}
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	if got := strings.Count(ts.ReadFile(args[0]), "\n"); got != want {
		ts.Fatalf("%d lines, want %d", got, want)
	}
}
