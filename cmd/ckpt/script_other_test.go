//go:build !linux

package main

import "github.com/rogpeppe/go-internal/testscript"

// Scripts that use these begin with "[!linux] skip".

func powerless(ts *testscript.TestScript, _ bool, _ []string) { ts.Fatalf("only on Linux") }

func fifo(ts *testscript.TestScript, _ bool, _ []string) { ts.Fatalf("only on Linux") }
