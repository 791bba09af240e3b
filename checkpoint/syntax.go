package checkpoint

import (
	"fmt"

	"github.com/kubeckpt/ckpt/internal/jsonfault"
)

// syntaxFault says why blob is not one JSON value; nil if it is.
func syntaxFault(blob []byte) *FormatError {
	f := jsonfault.Find(blob)
	if f == nil {
		return nil
	}
	e := &FormatError{Reason: Reason(f.Reason), Offset: f.Offset}
	switch f.Reason {
	case jsonfault.Empty:
		e.Text = "the file is empty"
	case jsonfault.NUL:
		e.Text = fmt.Sprintf("the file has NUL bytes at offset %d", f.Offset)
	case jsonfault.Truncated:
		e.Text = fmt.Sprintf("the file ends too early, after %d bytes", len(blob))
	case jsonfault.Trailing:
		e.Text = fmt.Sprintf("the file has %d bytes behind its end at offset %d", int64(len(blob))-f.Offset, f.Offset)
	default:
		e.Text = fmt.Sprintf("the file is not JSON at offset %d: %v", f.Offset, f.Err)
	}
	return e
}
