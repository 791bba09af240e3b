// Package checkpointtest helps to test a program that keeps a checkpoint.State:
// that it reads the files of all its older releases, that they read its files
// after a roll-back, and that it neither loses nor invents a state when a call to
// the file system fails or the power does. It is for tests.
//
// # Files of older releases
//
// A [Corpus] is a directory with the files that each release has written:
//
//	versions.golden            the shape of each version: what older programs rely on
//	1.0/two-claims.json        a file of release 1.0; an input, made once and never changed
//	1.0/two-claims.read.json   the state that is read from it now
//	1.0/two-claims.file.json   the file that is written for this state now, sums and all
//	1.0/two-claims.lost.json   what of it older versions, and the form of WithLegacy, cannot say
//	1.0/two-claims.as-1.1.json what release 1.1 reads from that
//	1.0/two-claims.to-1.1.json what is read after release 1.1 has changed that
//
// All but the inputs are written by Check when Update is set, and compared when
// it is not. A change of one of them is for a person to read: it is what users
// see at an upgrade or a roll-back. In versions.golden Update only adds: a version
// that is in use is never edited.
//
// Check also takes every state down to each older version and up again. What has
// changed then is an error, whatever the golden files say, if the two steps report
// no migrate.Loss. Whether those that report one report all, a person sees from the
// golden files.
//
// # Faults and crashes
//
// A [Disk] is a file system in memory. [Faults] repeats a piece of code once for
// each call that it makes, and has that call fail in several ways. [Crashes] runs
// a piece of code once, and lists every state in which a disk may be found if the
// power is cut during it: what was not synced may be there, or not, or in part.
//
// The disk does what POSIX promises and no more; it does not model a disk that
// lies about a flush, and its locks do not cross processes.
package checkpointtest
