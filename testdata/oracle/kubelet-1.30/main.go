// Command kubelet-1.30 is the oracle of Kubernetes 1.30.14. See ../README.md.
package main

import "github.com/kubeckpt/ckpt/testdata/oracle/kinds"

func main() { kinds.Main() }
