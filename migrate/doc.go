// Package migrate turns a document of one on-disk version into that of another,
// up and down, and says what is lost on the way.
//
// # A chain
//
// A [Chain] lists the versions that a document has had, oldest first. Each has an
// id, a Go type of its own, and two steps, to its predecessor and from it:
//
//	chain, err := migrate.NewChain(
//		migrate.First[ClaimsV1]("v1"),
//		migrate.Next("v2", v1ToV2, v2ToV1),
//		migrate.Next("v3", v2ToV3, v3ToV2),
//	)
//
// A new version is one more line; those before it are never edited, because files
// of theirs exist. [Version.Shape] prints the JSON of a version for a golden file,
// which shows when somebody has edited one all the same. From the steps every
// pair of versions is reachable; [Chain.Convert] collects the losses, each with
// the step in which it arose.
//
// An id is a name and a number, "v2" or "claims/v2"; the name is the same along
// the chain and the number rises. That is what tells a newer version, which an
// update will read, from something that never was a version of this document.
//
// # What is promised
//
// A document is not changed by a conversion unless a step does so; it may share
// memory with the result. A version or a field that the chain does not know is
// an error that says so ([NewerVersionError], [UnknownVersionError],
// [UnknownFieldsError]): what an older program cannot read is not corrupt, and
// telling an operator otherwise makes him delete it. A Chain is immutable and
// safe for concurrent use.
//
// Not promised: that up and then down is the identity. That is for the steps,
// and for the losses that they report; package checkpointtest helps to test it.
//
// # Printed type names
//
// Sums of the kubelet's kind cover the names of Go types (see package checksum).
// The kubelet gives the sum of an old version by printing today's type under its
// old name. [Version.Named] keeps such names beside the version, as data.
package migrate
