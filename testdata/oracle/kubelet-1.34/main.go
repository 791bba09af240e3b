// Command kubelet-1.34 is the oracle of Kubernetes 1.34.4. See ../README.md.
package main

import "github.com/kubeckpt/ckpt/testdata/oracle/kinds"

func main() { kinds.Main() }
