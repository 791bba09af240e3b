package preflight

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// checkKeys refuses a description that says nothing, or something twice: Go
// would take the last, and fill in the rest. It is JSON, of an object or null.
func checkKeys(blob []byte) error {
	type open struct {
		keys map[string]bool // nil for an array
		want bool            // a key comes next
	}
	var stack []open
	d := json.NewDecoder(bytes.NewReader(blob))
	said := false
	for {
		token, err := d.Token()
		if err != nil {
			break // the end, since it was decoded before
		}
		var top *open
		if n := len(stack); n > 0 {
			top = &stack[n-1]
		}
		if name, isText := token.(string); isText && top != nil && top.want {
			if top.keys[name] {
				return fmt.Errorf("it has %q twice in one object", clip(name))
			}
			top.keys[name], top.want, said = true, false, true
			continue
		}
		switch token {
		case json.Delim('{'):
			stack = append(stack, open{keys: map[string]bool{}, want: true})
			continue
		case json.Delim('['):
			stack = append(stack, open{})
			continue
		case json.Delim('}'), json.Delim(']'):
			stack = stack[:len(stack)-1]
		}
		if n := len(stack); n > 0 {
			stack[n-1].want = stack[n-1].keys != nil
		}
	}
	if !said {
		return errors.New("it says nothing of a machine; ckpt machine -o json writes one")
	}
	return nil
}

// checkOffline refuses CPUs that are off and that the machine cannot have. What
// ckpt machine writes does not list those that are off among the threads.
func (d description) checkOffline(nodes []describedNode, off map[int]bool) error {
	has := map[int]bool{}
	for _, n := range nodes {
		for _, c := range n.Cores {
			for _, cpu := range c.Threads {
				has[cpu] = true
			}
		}
	}
	for _, cpu := range slices.Sorted(maps.Keys(off)) {
		if cpu < 0 || cpu >= maxCPUs || len(d.NUMA) == 0 && !has[cpu] {
			return fmt.Errorf("CPU %d is said to be off, and is no CPU of the machine", cpu)
		}
	}
	return nil
}
