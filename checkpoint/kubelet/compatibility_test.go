package kubelet

import (
	"fmt"
	"testing"
)

// TestCompatibilities holds the matrix to its own claims: every writer's full
// file is good, its writer reads it back whole, and every writer has a row.
func TestCompatibilities(t *testing.T) {
	for _, c := range Compatibilities() {
		writers := 0
		for _, row := range c.Rows {
			for _, w := range row.Writers {
				writers++
				for i, r := range c.Readers {
					if fmt.Sprint(r) == fmt.Sprint(w) && row.Answers[i].Verdict != Accepted {
						t.Errorf("%s: kubelet %v does not read its own file: %+v", c.Kind, w, row.Answers[i])
					}
				}
			}
		}
		if writers != len(c.Readers) {
			t.Errorf("%s: %d of %d kubelets have a row", c.Kind, writers, len(c.Readers))
		}
	}
}
