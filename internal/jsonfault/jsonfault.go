// Package jsonfault says why bytes are not one JSON value, in the terms of what may
// have happened to a file: it is empty, was cut off, has NUL bytes of a power cut, or
// something behind its end. What is JSON is up to encoding/json.
package jsonfault

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// Reason is the kind of a fault.
type Reason string

// The reasons, the first that fits.
const (
	Empty     Reason = "empty"     // no byte, or white space only
	NUL       Reason = "nul-bytes" // a NUL where the text stops making sense, or nothing else
	Truncated Reason = "truncated" // it ends too early, be it within an escape, literal or number
	Trailing  Reason = "trailing-data"
	Syntax    Reason = "syntax" // anything else
)

// Fault is why bytes are not one JSON value.
type Fault struct {
	Reason Reason
	// Offset is the number of bytes before the fault: all of them for Truncated, the
	// length of the first object for Trailing.
	Offset int64
	Err    error // what encoding/json says
}

// Find returns why blob is no JSON value, or nil if it is one.
func Find(blob []byte) *Fault {
	if json.Valid(blob) {
		return nil
	}
	err := json.Unmarshal(blob, new(json.RawMessage))
	if err == nil {
		return nil
	}
	f := &Fault{Reason: Syntax, Err: err}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		f.Offset = max(syntax.Offset-1, 0)
	}
	switch {
	case len(bytes.TrimSpace(blob)) == 0:
		f.Reason, f.Offset = Empty, 0
	case len(bytes.Trim(blob, "\x00")) == 0:
		f.Reason, f.Offset = NUL, 0
	case strings.HasPrefix(err.Error(), "unexpected end"), cutWithinToken(blob, syntax):
		f.Reason, f.Offset = Truncated, int64(len(blob))
	case f.Offset < int64(len(blob)) && blob[f.Offset] == 0:
		f.Reason = NUL
	default:
		if end := FirstObject(blob); end > 0 {
			f.Reason, f.Offset = Trailing, end
		}
	}
	return f
}

// cutWithinToken reports whether the text ends in the middle of an escape, a literal
// or a number. The scanner of encoding/json puts a space where a text ends and then
// complains of that.
func cutWithinToken(blob []byte, err *json.SyntaxError) bool {
	return err != nil && err.Offset == int64(len(blob)) && blob[len(blob)-1] != ' ' &&
		strings.HasPrefix(err.Error(), "invalid character ' '")
}

// FirstObject returns the length of the whole JSON object that blob begins with, or 0.
func FirstObject(blob []byte) int64 {
	d := json.NewDecoder(bytes.NewReader(blob))
	var first json.RawMessage
	if d.Decode(&first) != nil || len(first) == 0 || first[0] != '{' {
		return 0
	}
	return d.InputOffset()
}
