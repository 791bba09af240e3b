// Package checksum computes the sums that guard a kubelet's checkpoint files.
//
// # What is summed
//
// The kubelet does not sum the bytes of a file. It prints the decoded Go value
// as text and sums that:
//
//	value ──dump.ForHash──▶ (*state.T){Name:(string)x M:(map[string]int)map[a:1 b:2]} ──FNV-1a, 32 bit──▶ Checksum
//
// ForHash is k8s.io/utils/dump, which is go-spew's "%#v" with sorted keys and
// without methods, addresses and capacities. The text contains the names of Go
// types and fields, so renaming either changes every sum; strings are not
// quoted, so different values can share a text; and 32 bits detect accidents,
// not intent. The newer formats sum one string (see [OfString]), and those of
// dynamic resource allocation sum bytes (see [CRC32]).
//
// # Two roads
//
// [New] and [Checksum.Verify] are the kubelet's functions: they call the same
// library and give its answer for every value for which it gives one. They
// inherit its defects: a map that contains itself ends the process, a pointer
// that points to itself never returns, and a panic inside the library is
// swallowed and cuts the text short without a word.
//
// [Dump], [AppendDump] and [Sum] are an implementation of their own with two
// promises. First, with no [Names], the text is byte for byte that of ForHash
// wherever that text is a function of the value alone; with Names it is the
// text ForHash would print if the Go types bore those names. Second, where no
// such text exists they return an [*UnsoundError] that says where and why, and
// never a sum of something else. They do not recurse deeper than [MaxDepth].
//
// # What is not promised
//
// The text of a value that shares pointers, slices or maps can be exponentially
// larger than the value, as with ForHash. A value that another goroutine
// changes meanwhile has no defined text. Some types print state that a reader
// does not see: a time.Time prints its monotonic clock and its whole time zone,
// a resource.Quantity the string it has cached. Their sums are well defined,
// yet need not survive a trip through JSON. Methods are never called, with one
// exception that ForHash shares: keys of struct, interface and complex types
// are ordered by what spew.Config, a global variable of go-spew, makes of them,
// and that consults String and Error.
//
// All functions are safe for concurrent use.
package checksum
