package checkpoint_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/crashfs"
	"github.com/kubeckpt/ckpt/internal/faultfs"
)

// faultyState returns a damaged state on a disk whose calls may be made to fail. It
// has a kept value that is good.
func faultyState(t *testing.T, opts ...checkpoint.Option) (*checkpoint.State[counter], *faultfs.FS) {
	t.Helper()
	memory := crashfs.New()
	faulty := faultfs.Wrap(memory)
	s := openState[counter](t, "/state", append(opts, checkpoint.WithHistory(1), checkpoint.WithStore(filestore.WithFS(faulty)))...)
	counted(t, s, 2)
	plain, err := filestore.Open("/state", filestore.WithFS(memory))
	if err == nil {
		err = plain.Write(key, []byte(`{"ckpt":`))
	}
	if err != nil {
		t.Fatal(err)
	}
	return s, faulty
}

// A policy that cannot do its work does not hide why it was asked.
func TestDamageOnAReadOnlyDisk(t *testing.T) {
	for _, policy := range []checkpoint.Recovery{checkpoint.Fail, checkpoint.QuarantineAndStartEmpty, checkpoint.LastGood} {
		s, faulty := faultyState(t, checkpoint.WithRecovery(policy))
		for _, call := range []faultfs.Call{faultfs.Create, faultfs.Rename, faultfs.Remove, faultfs.Lock} {
			faulty.Inject(faultfs.Rule{Call: call, To: -1, Err: syscall.EROFS})
		}
		_, _, err := s.Load(background)
		wantReason(t, err, checkpoint.ReasonTruncated)
		if !errors.Is(err, checkpoint.ErrCorruptCheckpoint) || errors.Is(err, syscall.EROFS) != (policy != checkpoint.Fail) {
			t.Errorf("policy %d: %v", policy, err)
		}
		wantSentence(t, err)
	}
}

// Where only room is lacking, a kept value is not called bad.
func TestNoRoomToRestore(t *testing.T) {
	s, faulty := faultyState(t, checkpoint.WithRecovery(checkpoint.LastGood))
	faulty.Inject(faultfs.Rule{Call: faultfs.Write, To: -1, Err: syscall.ENOSPC})
	_, _, err := s.Load(background)
	if !errors.Is(err, checkpoint.ErrCorruptCheckpoint) || !errors.Is(err, syscall.ENOSPC) ||
		!strings.Contains(err.Error(), "the kept value cannot be put back") {
		t.Errorf("no room: %v", err)
	}
	faulty.Clear()
	if got, _ := load(t, s); got.N != 1 {
		t.Errorf("with room: %+v", got)
	}
}
