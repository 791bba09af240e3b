// Package fastsum sums the JSON of a checkpoint file in one pass over its
// bytes, without decoding it.
//
// A kubelet decodes a file into a Go value, prints that value as text and sums
// the text (see package checksum). Where the bytes are exactly what
// encoding/json writes for the value, each piece of that text follows from a
// piece of the file: names of types and fields are known beforehand, strings
// and numbers stand in both, and sorted keys come in the same order. So a [Plan],
// compiled from the Go type of the document, says for every place in the JSON
// what must stand there and what text goes into the sum.
//
// # What is promised
//
// If [Scanner.Run] returns true, encoding/json decodes the bytes without an
// error into the plan's type; no member is unknown, spelled otherwise, missing
// or there twice; a document within a string is such a document as well; and
// the sums are those of checksum.Sum and its like over the decoded value. It
// allocates nothing but what a [Leaf] allocates.
//
// If it returns false, nothing is known: the bytes may be a good file that is
// spelled in another way (white space, escapes, non-ASCII text, ten NUMA nodes
// whose keys sort differently as text and as numbers), or no JSON at all. False
// is not an answer but the request to ask a decoder.
//
// # How it is fast
//
// FNV-1a takes one multiplication a byte, each waiting for the last: four cycles
// a byte. Only the low eight bits of a sum meet the next byte, and the rest is
// linear, so that the sum after a text of n bytes is
//
//	h·pⁿ + C[h & 0xff]    (mod 2³²)
//
// with a table C that depends on the text alone. Constant pieces cost one step
// each. Tables are built when a plan has seen enough bytes to earn them.
package fastsum
