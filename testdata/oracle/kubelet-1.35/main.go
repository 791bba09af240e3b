// Command kubelet-1.35 is the oracle of Kubernetes 1.35.4. See ../README.md.
package main

import "github.com/kubeckpt/ckpt/testdata/oracle/kinds"

func main() { kinds.Main() }
