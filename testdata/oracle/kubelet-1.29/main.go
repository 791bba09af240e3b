// Command kubelet-1.29 is the oracle of Kubernetes 1.29.6. See ../README.md.
package main

import "github.com/kubeckpt/ckpt/testdata/oracle/kinds"

func main() { kinds.Main() }
