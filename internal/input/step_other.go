//go:build !linux

package input

func openTop(root string) (step, error) { return openRootStep(root) }
