package kubelet

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// Reasons of a Damage.
const (
	DamageEmpty     = "empty"
	DamageNUL       = "nul-bytes"
	DamageTruncated = "truncated"
	DamageTrailing  = "trailing-data"
	DamageSyntax    = "syntax"
	DamageType      = "type"
	DamageCPUs      = "cpu-count"
)

// syntaxDamage returns why blob is no JSON value, or nil if it is one.
func syntaxDamage(blob []byte) *Damage {
	var any json.RawMessage
	err := json.Unmarshal(blob, &any)
	if err == nil {
		return nil
	}
	d := &Damage{Reason: DamageSyntax, Error: err.Error()}
	var se *json.SyntaxError
	if errors.As(err, &se) {
		d.Offset = max(se.Offset-1, 0)
	}
	rest := bytes.TrimLeft(blob, "\x00")
	switch {
	case len(bytes.TrimSpace(blob)) == 0:
		d.Reason, d.Offset = DamageEmpty, 0
	case len(rest) == 0:
		d.Reason, d.Offset = DamageNUL, 0
	case strings.HasPrefix(d.Error, "unexpected end"), cutWithinToken(blob, se):
		d.Reason, d.Offset = DamageTruncated, int64(len(blob))
	case d.Offset < int64(len(blob)) && blob[d.Offset] == 0:
		d.Reason = DamageNUL
	case firstValue(blob) > 0:
		d.Reason = DamageTrailing
		d.Offset = int64(firstValue(blob))
	}
	return d
}

// cutWithinToken reports whether the text ends in the middle of an escape or of
// a literal. The scanner of encoding/json puts a space where a text ends and then
// complains of that.
func cutWithinToken(blob []byte, err *json.SyntaxError) bool {
	return err != nil && err.Offset == int64(len(blob)) && blob[len(blob)-1] != ' ' &&
		strings.HasPrefix(err.Error(), "invalid character ' '")
}

// firstValue returns the length of the whole JSON object that blob begins
// with, or 0.
func firstValue(blob []byte) int {
	dec := json.NewDecoder(bytes.NewReader(blob))
	var first json.RawMessage
	if err := dec.Decode(&first); err != nil && err != io.EOF {
		return 0
	}
	if len(first) == 0 || first[0] != '{' {
		return 0
	}
	return int(dec.InputOffset())
}

// typeDamage is the damage of JSON that does not fit f.
func typeDamage(err error, f *format) *Damage {
	d := &Damage{Reason: DamageType, Error: words(err, f.names)}
	var te *json.UnmarshalTypeError
	if errors.As(err, &te) {
		d.Offset = te.Offset
	}
	return d
}
