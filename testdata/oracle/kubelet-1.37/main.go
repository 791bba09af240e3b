// Command kubelet-1.37 is the oracle of Kubernetes 1.37.2. See ../README.md.
package main

import "github.com/kubeckpt/ckpt/testdata/oracle/kinds"

func main() { kinds.Main() }
