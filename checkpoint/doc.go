// Package checkpoint keeps checkpoints as files and gets them back unharmed or
// not at all.
//
// There are two ways in. A [State] is a typed value in one file, with versions, a
// lock between processes, and a policy for damage; new programs use it. The
// [CheckpointManager] is the kubelet's interface, for programs that have it and
// want to keep their files; see below, and docs/switch.md for the way from one
// to the other.
//
// # A state
//
//	claims, err := checkpoint.Open[Claims](dir, "claims")
//	…
//	err = claims.Update(ctx, func(c *Claims) error {
//		c.Prepared[uid] = devices
//		return nil
//	})
//
// What Update has acknowledged survives a crash and a power cut. No Update of
// another goroutine or process comes between its reading and its writing. What
// Last returns changes only when the write is durable; if that is not certain,
// the error says so (see [Outcome]), and repeating the call is enough.
//
// # The file of a state
//
// The file is one JSON object. Its member "ckpt" is the envelope:
//
//	{"checksum":…,"v1":{…},                     the form of the kubelet's package, if WithLegacy and WithDualWrite ask for it
//	 "ckpt":{
//	  "name":"claims",                          the key, or WithName
//	  "boot":"…",                               the boot in which it was written, if WithBootScope
//	  "versions":[                              the same state in one or several versions
//	   {"version":"v3","generation":17,"payload":{…},
//	    "sha256":"…",                           of the exact bytes of payload, in hexadecimal
//	    "fnv32a":…},                            checksum.OfString of the same, as the kubelet sums a string
//	   …],
//	  "legacy":{"members":["checksum","v1"],    which members of the file are the kubelet's form,
//	            "sha256":"…"},                  and the digest of that form as an object of its own
//	  "seal":"…"}}                              see below
//
// The digest is over bytes, not over a value that was decoded and encoded again:
// a type that has got a field, a dependency that has, or an older program that
// has not, changes no sum. Members that are not known here, of the file or of the
// envelope, are kept as they are.
//
// The seal is the SHA-256 of these lines, each with a newline: "ckpt/1", the
// name, the boot id or nothing, for each version "VERSION GENERATION SHA256", and
// for a legacy form its members as fmt prints them with %q, a space and its
// digest. It notices damage to all that decides how a payload is read. None of
// this is proof against somebody who may write the file.
//
// # Which version decides
//
// All that is written at once has the same generation, one above all before. A
// reader takes the payload with the highest generation, and of several the
// newest version that it knows. A writer writes its newest version and as many
// older ones as WithDualWrite says; it leaves payloads of versions that it does
// not know as they are, with their generation. So a newer program that finds its
// version with a lower generation than an older one knows that the older program
// wrote last: it converts what that one wrote, says in Info.Lost what of its own the
// older version cannot say, and WithMerge may bring that back. The next Update
// writes all known versions anew, so what was not brought back is gone then. If no
// version is known, or an unknown one is alone at the top, the error is
// *migrate.NewerVersionError; so it is if what this program knows at the top is
// damaged, and beside it an unknown version is not.
//
// The kubelet's package writes the whole file and has no generation. A file
// without an envelope was written by it. Beside an envelope, its form decides if
// its own checksum fits and it is not what the envelope's digest says. After such
// a write a State counts on from the highest generation that it has seen itself;
// one that has seen none begins at 1.
//
// # Versions
//
// WithVersions takes the chain of package migrate. A file of an older version is
// read at once and becomes one of the newest at the next Update. A version or a
// field that is not known here is an error that says "newer version"; it is never
// called corrupt, and no recovery policy touches it.
//
// # Damage
//
// A file whose bytes have changed is a *[FormatError]; errors.Is matches
// [ErrCorruptCheckpoint]. By default nothing more happens. WithRecovery may put the
// file away and go on empty, or go back to the newest kept value that is good.
// Damage to a version that does not decide is reported in Info.Damaged and to the
// observer, and repaired by the next Update.
//
// # In place of the kubelet's packages
//
// The manager's types, functions, error values and error texts are those of
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
//   - ListCheckpoints leaves out directories, names that cannot be keys, and the
//     backups of filestore.Store.Replace;
//   - reading is refused above filestore.DefaultMaxSize.
//
// A store opened with other options, and any other back end, goes through
// [NewManager].
package checkpoint
