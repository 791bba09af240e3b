// Command kubelet-1.13 is the oracle of Kubernetes 1.13.0. See ../README.md.
package main

import "github.com/kubeckpt/ckpt/testdata/oracle/kinds"

func main() { kinds.Main() }
