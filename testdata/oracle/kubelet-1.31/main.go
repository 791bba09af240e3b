// Command kubelet-1.31 is the oracle of Kubernetes 1.31.14. See ../README.md.
package main

import "github.com/kubeckpt/ckpt/testdata/oracle/kinds"

func main() { kinds.Main() }
