package checkpoint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// syntaxFault says why blob is not one JSON value; nil if it is.
func syntaxFault(blob []byte) *FormatError {
	if json.Valid(blob) {
		return nil
	}
	err := json.Unmarshal(blob, new(any))
	e := &FormatError{Reason: ReasonSyntax}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		e.Offset = max(syntax.Offset-1, 0)
	}
	end := firstValue(blob)
	switch {
	case len(bytes.TrimSpace(blob)) == 0:
		e.Reason, e.Offset, e.Text = ReasonEmpty, 0, "the file is empty"
	case e.Offset < int64(len(blob)) && blob[e.Offset] == 0:
		e.Reason, e.Text = ReasonNUL, fmt.Sprintf("the file has NUL bytes at offset %d", e.Offset)
	case err != nil && strings.HasPrefix(err.Error(), "unexpected end"):
		e.Reason, e.Offset = ReasonTruncated, int64(len(blob))
		e.Text = fmt.Sprintf("the file ends too early, after %d bytes", len(blob))
	case end > 0:
		e.Reason, e.Offset = ReasonTrailing, end
		e.Text = fmt.Sprintf("the file has %d bytes behind its end at offset %d", int64(len(blob))-end, end)
	default:
		e.Text = fmt.Sprintf("the file is not JSON at offset %d: %v", e.Offset, err)
	}
	return e
}

// firstValue returns the length of the object that blob begins with, or 0.
func firstValue(blob []byte) int64 {
	d := json.NewDecoder(bytes.NewReader(blob))
	var first json.RawMessage
	if d.Decode(&first) != nil || len(first) == 0 || first[0] != '{' {
		return 0
	}
	return d.InputOffset()
}
