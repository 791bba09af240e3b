package kubelet

import (
	"encoding/json"
	"errors"

	"github.com/kubeckpt/ckpt/internal/jsonfault"
)

// Reasons of a Damage. The first five are those of jsonfault.
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
	f := jsonfault.Find(blob)
	if f == nil {
		return nil
	}
	return &Damage{Reason: string(f.Reason), Offset: f.Offset, Error: f.Err.Error()}
}

// firstValue returns the length of the whole JSON object that blob begins
// with, or 0.
func firstValue(blob []byte) int { return int(jsonfault.FirstObject(blob)) }

// typeDamage is the damage of JSON that does not fit f.
func typeDamage(err error, f *format) *Damage {
	d := &Damage{Reason: DamageType, Error: words(err, f.names)}
	var te *json.UnmarshalTypeError
	if errors.As(err, &te) {
		d.Offset = te.Offset
	}
	return d
}
