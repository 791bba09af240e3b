// Command kubelet-1.32 is the oracle of Kubernetes 1.32.13. See ../README.md.
package main

import "github.com/kubeckpt/ckpt/testdata/oracle/kinds"

func main() { kinds.Main() }
