// Package crashfs is an afero.Fs in memory that remembers what was synced, and
// can list every state in which a disk may be found if the machine stopped after
// any of the operations so far. It is for tests.
//
// # The model
//
// Sync of a file makes that file's bytes and mode durable, and nothing else: not
// its name. Sync of a directory makes that directory's pending entries durable,
// and nothing else. Of what is not durable any subset may be on the disk:
//
//   - Each creation, removal and rename of an entry is there or not, in any
//     combination. A rename within a directory is atomic (but see SplitRename);
//     one between two directories is an addition and a removal.
//   - A file has its durable bytes, those after any later write, or a mixture of
//     blocks: each there, or not (its old bytes, zeros behind the old end), one of
//     them garbage or cut in the middle, and the file ending after any of them.
//
// Not modelled: hard links, sparse files, times, and disks that lie about a flush.
package crashfs
