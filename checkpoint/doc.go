// Package checkpoint keeps checkpoints as files and gets them back unharmed or
// not at all.
//
// # In place of the kubelet's packages
//
// The types, functions, error values and error texts are those of
// pkg/kubelet/checkpointmanager in Kubernetes 1.37, and so are the bytes on disk
// and the names of the files. Code written for it changes its imports only:
//
//	k8s.io/kubernetes/pkg/kubelet/checkpointmanager          → checkpointmanager "github.com/kubeckpt/ckpt/checkpoint"
//	k8s.io/kubernetes/pkg/kubelet/checkpointmanager/checksum → "github.com/kubeckpt/ckpt/checksum"
//	k8s.io/kubernetes/pkg/kubelet/checkpointmanager/errors   → errors "github.com/kubeckpt/ckpt/checkpoint"
//
// Files of either are read by the other. Both print checksum.Checksum by that
// name, so sums stay as they are, too.
//
// # What is promised
//
// What CreateCheckpoint has acknowledged survives a crash and a power cut, and a
// reader sees the old checkpoint or the new one, never a mixture (see package
// filestore). What GetCheckpoint returns without an error is what the
// checkpoint's own VerifyChecksum accepts; how good that check is, is up to the
// checkpoint. A manager is safe for concurrent use; its methods run one at a
// time, as long as the store and the checkpoint take.
//
// # What differs from the kubelet's
//
// All of it concerns files that the manager did not write itself:
//   - a symbolic link, directory or other non-regular file in the place of a
//     checkpoint is an error, where the kubelet's manager reads through a link
//     and replaces it;
//   - a file that is replaced keeps its mode, owner and extended attributes,
//     where the kubelet's gets mode 0600 (which is what new files get here);
//   - ListCheckpoints leaves out directories and names that cannot be keys;
//   - reading is refused above filestore.DefaultMaxSize.
//
// A store opened with other options, and any other back end, goes through
// [NewManager].
package checkpoint
