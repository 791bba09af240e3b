package command

const (
	exitGood        = 0
	exitBad         = 1
	exitUsage       = 2
	exitUndecided   = 3
	exitInterrupted = 130 // as a shell reports a process that SIGINT ended
)

// exitError makes Run return code. Its err is printed; nil: all was said.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return "failed"
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// worse returns the code that decides of two, in the order of the package
// comment.
func worse(a, b int) int {
	for _, code := range []int{exitBad, exitUndecided} {
		if a == code || b == code {
			return code
		}
	}
	return exitGood
}

// exit turns the code of the worst file into what a command's function returns.
func exit(code int) error {
	if code == exitGood {
		return nil
	}
	return &exitError{code: code}
}

// undecided is for an error of ckpt's own input or output.
func undecided(err error) error {
	if err == nil {
		return nil
	}
	return &exitError{exitUndecided, err}
}
