package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubeckpt/ckpt/internal/termtext"
)

// Env is all that commands see of the world but the files they are given.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	// Columns is the width of the terminal that Stdout is; 0: it is none.
	Columns int
	// Patience is how long the search for what happened to one broken file may
	// take without --deep; 0: five seconds.
	Patience time.Duration
}

// New returns the ckpt command with all its subcommands.
func New(env Env) *cobra.Command {
	root := &cobra.Command{
		Use:   "ckpt",
		Short: "Verify, explain and mend the kubelet's checkpoint files",
		Long: `ckpt reads the files in which the kubelet remembers who holds which CPU, memory,
device and resource claim. It says whether they are sound, which kubelet accepts
them and why one does not. Only repair, migrate and adopt write, and only where they
are told to.`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	root.AddCommand(
		newVerify(env),
		newExplain(env),
		newDiff(env),
		newRepair(env),
		newDump(env),
		newFormats(env),
		newMigrate(env),
		newState(env),
		newMachine(env),
		newPreflight(env),
		newAdopt(env),
		newVersion(),
	)
	return root
}

// Run runs the command line args in env and returns the exit code.
func Run(env Env, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	return runUntil(ctx, env, args)
}

// runUntil is Run until ctx ends.
func runUntil(ctx context.Context, env Env, args []string) int {
	env.Stdin = &stdin{ctx, env.Stdin}
	root := New(env)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	var exit *exitError
	switch {
	case err == nil:
		return exitGood
	case errors.Is(err, context.Canceled):
		// A command finishes what it has begun to write, so that an interrupt which
		// comes too late changes nothing: only its error says that it was heard.
		text := errors.New("interrupted; what was printed is not all")
		if err != ctx.Err() {
			text = fmt.Errorf("%w\n%w", err, text)
		}
		exit = &exitError{exitInterrupted, text}
	case !errors.As(err, &exit):
		// Only the command line is judged outside of the commands' own functions.
		exit = &exitError{exitUsage, fmt.Errorf("%w\nsee %s --help", err, cmd.CommandPath())}
	}
	if exit.err != nil {
		fmt.Fprintf(env.Stderr, "ckpt: %s\n", termtext.SanitizeLines(exit.err.Error()))
	}
	return exit.code
}
