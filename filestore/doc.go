// Package filestore keeps small values as files of one directory, such that a
// value whose write was acknowledged is never lost and never torn.
//
// Names and modes are those of pkg/kubelet/util/store in Kubernetes: the file of
// a key is called like the key, has mode 0600 when it is new, and the directory
// 0755. Either package reads what the other wrote.
//
// # Promises
//
// After Write or Delete has returned nil, its effect survives the death of the
// process, a crash of the kernel and a power cut. At every moment, and after a
// crash at any moment, a reader finds the old value or the new one, whole; other
// keys are not touched. List names keys only. Leftovers of a crash are removed by
// the next Open. A failed call says which of three things is true:
//
//	*NotDurableError   the new value is visible, but a power cut may undo it
//	*UncertainError    the old or the new value is there, and it cannot be known which;
//	                   with WithInPlace perhaps a mixture
//	any other error    nothing has changed
//
// The errno is found with errors.Is, and the text names the operation and the path.
//
// # Assumptions
//
// Rename is atomic and fsync honest, as on ext4, xfs, btrfs and tmpfs (which
// holds nothing across a power cut, of course), and on a disk whose cache is
// flushed when the kernel says so. NFS, SMB and FUSE promise less; see
// docs/durability.md. On Windows a directory cannot be fsynced. The directory is
// writable only for those who may write the values: this is no defence against
// an attacker who renames files in it.
//
// Not promised: values of many megabytes, many keys, or that several keys change
// together.
//
// # The protocol
//
//	                                a crash after it leaves
//	1 open the directory            old
//	2 create .ckpt-KEY-….tmp        old, maybe an empty temporary file
//	3 write it                      old, maybe a temporary file with anything in it
//	4 mode, owner, xattrs, fsync    old, maybe a complete temporary file
//	5 close it                      the same
//	6 rename it to KEY              old, maybe with the temporary file; or new
//	7 fsync the directory           new
//	8 return                        new
//
// The fsync of the file comes before the rename, or the name could reach the
// disk before the bytes. The fsync of the directory comes before the return, or
// the rename may be lost after it was acknowledged; the kubelet leaves it out.
// The directory is opened first, because a process that has run out of
// descriptors must learn so while nothing has changed. A temporary file whose
// fsync failed is given up, never synced again.
//
// Writers share a lock, .ckpt.lock, which Update and the sweep of leftovers hold
// alone. The kubelet takes no lock: stop it before changing its files.
package filestore
