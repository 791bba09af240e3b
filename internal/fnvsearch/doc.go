// Package fnvsearch asks of a text that should have had another checksum: what
// would the text have to be?
//
// FNV-1a and CRC-32 can be run backwards. Beside the state before each byte
// there is thus a second one: the state from which the rest of the text leads to
// the wanted sum. Where the two can be joined by other bytes than those that
// stand there, a text with the wanted sum is found, without hashing the rest:
//
//	text    p o l i c y = s t a t i x …
//	fwd     ├──────────────────────▶ h        state that the bytes before lead to
//	back                              g ◀──┤  state that the bytes after need
//	OneByte                         h ─c─▶ g  is there such a byte c?
//
// For FNV-1a there are also jumps (see [Text.Cut]): a stretch of n bytes turns a
// state h into (h &^ 255)·pⁿ + r(h & 255) with a table r of 256 entries, so that
// any stretch between two cuts is passed in a few instructions from any state.
// Edits in two places, and parts that move, are tested with those.
//
// A sum of 32 bits says yes to one wrong candidate in four billion. Callers
// count what they ask.
package fnvsearch
