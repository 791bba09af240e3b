package checkpointtest

import (
	"fmt"
	"syscall"

	"github.com/kubeckpt/ckpt/internal/faultfs"
)

// ways are the ways in which a call fails.
var ways = []struct {
	name string
	rule faultfs.Rule
}{
	{"fails", faultfs.Rule{Err: syscall.EIO}},
	{"does its work and fails", faultfs.Rule{Err: syscall.EIO, After: true}},
	{"moves half of the bytes and fails", faultfs.Rule{Err: syscall.ENOSPC, Short: true}},
}

// Faults runs prepare and then change on a new disk, with the first call of change
// failing, then with the second, and so on until there is none left; and all that
// in several ways. After each it runs check, on the same disk without faults, with
// what change has returned. It returns how often a call has failed, and the first
// error of prepare or check.
//
// A change that returns nil must have done its work in spite of the fault; one
// that returns an error must not have done more than its error says.
func Faults(prepare func(*Disk) error, change func(*Disk) error, check func(d *Disk, err error) error) (faults int, err error) {
	for _, way := range ways {
		for call := 1; ; call++ {
			d := NewDisk()
			if err := prepare(d); err != nil {
				return faults, fmt.Errorf("prepare: %w", err)
			}
			rule := way.rule
			rule.From = call
			d.calls.Inject(rule)
			before := len(d.calls.Calls())
			result := change(d)
			if d.calls.Fired() == 0 {
				break
			}
			faults++
			made := d.calls.Calls()[before:]
			d.calls.Clear()
			if err := check(d, result); err != nil {
				failed := made[min(call, len(made))-1]
				return faults, fmt.Errorf("call %d, %s of %q, %s; the change returned %q: %w", call, failed.Call, failed.Path, way.name, fmt.Sprint(result), err)
			}
		}
	}
	return faults, nil
}
