package main

import (
	"runtime"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// powerless runs exits without the capabilities that let root read and search
// everything, so that "permission denied" can be tested as root too.
func powerless(ts *testscript.TestScript, neg bool, args []string) {
	const (
		prCapBSetDrop    = 24
		capDACOverride   = 1
		capDACReadSearch = 2
	)
	if neg || len(args) < 2 {
		ts.Fatalf("usage: powerless CODE COMMAND ARG...")
	}
	done := make(chan error)
	go func() {
		// The thread ends with this goroutine, and nobody else gets to be as
		// powerless.
		runtime.LockOSThread()
		for _, c := range []uintptr{capDACOverride, capDACReadSearch} {
			// An ordinary user may not drop it and does not have it.
			_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, prCapBSetDrop, c, 0)
		}
		done <- exitsWith(ts, args[0], args[1:])
	}()
	ts.Check(<-done)
}

func fifo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: fifo FILE")
	}
	ts.Check(syscall.Mkfifo(ts.MkAbs(args[0]), 0o600))
}
