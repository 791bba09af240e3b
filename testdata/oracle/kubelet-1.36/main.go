// Command kubelet-1.36 is the oracle of Kubernetes 1.36.3. See ../README.md.
package main

import "github.com/kubeckpt/ckpt/testdata/oracle/kinds"

func main() { kinds.Main() }
