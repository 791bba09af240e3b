package preflight_test

import (
	"slices"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// Every threshold of evictionHard is read, not only the one of the memory. The texts
// are those of pkg/kubelet/eviction/helpers.go, the same from 1.29 to 1.37.
func TestEvictionHard(t *testing.T) {
	for _, c := range []struct {
		hard map[string]string
		want []string // what may be printed
	}{
		{map[string]string{"nodefs.available": "10%", "nodefs.inodesFree": "5%", "imagefs.available": "1Gi", "imagefs.inodesFree": "100%",
			"containerfs.available": "0%", "containerfs.inodesFree": "1", "pid.available": "1k", "allocatableMemory.available": "1Mi"}, nil},
		{map[string]string{}, nil},
		{map[string]string{"memory.avail": "5%"}, []string{"unsupported eviction signal memory.avail"}},
		{map[string]string{"memory.avail": "0%"}, []string{"unsupported eviction signal memory.avail"}},
		{map[string]string{"nodefs.available": "-5%"}, []string{"eviction percentage threshold nodefs.available must be >= 0%: -5%"}},
		{map[string]string{"nodefs.available": "101%"}, []string{"eviction percentage threshold nodefs.available must be <= 100%: 101%"}},
		{map[string]string{"pid.available": "x%"}, []string{`strconv.ParseFloat: parsing "x": invalid syntax`}},
		{map[string]string{"pid.available": "0"}, []string{"eviction threshold pid.available must be positive: 0"}},
		{map[string]string{"nodefs.available": "abc"},
			[]string{"quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"}},
		{map[string]string{"memory.available": "-1%", "a": "1", "b": "1"}, []string{"unsupported eviction signal a", "unsupported eviction signal b",
			"eviction percentage threshold memory.available must be >= 0%: -1%"}},
	} {
		q := newNode(t).question()
		q.Releases = nil
		q.Config.EvictionHard = c.hard
		answers, err := preflight.Start(q)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range answers {
			got := slices.DeleteFunc(slices.Clone(a.Possible), func(text string) bool { return text == "" })
			if !a.Random && a.Error != "" {
				got = []string{a.Error}
			}
			if c.want == nil {
				if a.Stage == preflight.StageReservation {
					t.Errorf("%v on %s: %q", c.hard, a.Release, got)
				}
			} else if !slices.Equal(got, c.want) || a.Stage != preflight.StageReservation {
				t.Errorf("%v on %s: %q at %s, want %q", c.hard, a.Release, got, a.Stage, c.want)
			}
		}
	}
}
