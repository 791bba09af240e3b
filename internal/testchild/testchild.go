// Package testchild starts the test binary once more, as a process that may be
// killed. It is for tests.
package testchild

import (
	"os"
	"os/exec"
	"strconv"
)

// Command returns the command that runs this binary in a role. Each value has a
// variable of the environment to itself, so that it may have spaces, as the path of
// a directory may.
func Command(role string, values ...string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), role+"="+strconv.Itoa(len(values)))
	for i, value := range values {
		cmd.Env = append(cmd.Env, variable(role, i)+"="+value)
	}
	return cmd, nil
}

// Values returns what Command was given, and whether this process is in that role.
// It is asked in TestMain.
func Values(role string) (values []string, ok bool) {
	n, err := strconv.Atoi(os.Getenv(role))
	if err != nil {
		return nil, false
	}
	for i := range n {
		values = append(values, os.Getenv(variable(role, i)))
	}
	return values, true
}

func variable(role string, i int) string { return role + "_" + strconv.Itoa(i) }
