//go:build !linux

package input

func differsFromKernel(func(string) (step, error), string, string) error { return nil }
