// Command ckpt verifies and explains the kubelet's checkpoint files.
package main

import (
	"os"

	"github.com/kubeckpt/ckpt/cmd/ckpt/command"
)

func main() {
	os.Exit(command.Run(command.System(), os.Args[1:]))
}
