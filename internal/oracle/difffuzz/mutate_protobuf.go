package main

import (
	"encoding/base64"
	"math/rand/v2"
	"slices"
	"strings"
)

// allocParts are pieces of a ContainerAllocateResponse, well formed or not.
var allocParts = []string{
	"\x0a\x06\x0a\x01a\x12\x01b",                           // envs a=b
	"\x0a\x04\x0a\x02a\xff",                                // a key that is no UTF-8
	"\x0a\x00",                                             // an empty map entry
	"\x0a\x03\x12\x01b",                                    // no key
	"\x0a\x08\x18\x05\x0a\x01a\x12\x01b",                   // a stranger in the entry
	"\x12\x06\x0a\x01p\x12\x01q",                           // mount
	"\x12\x02\x18\x01",                                     // read only
	"\x12\x0b\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", // bool of ten bytes
	"\x1a\x03\x0a\x01d",                                    // device
	"\x1a\x03\x0a\x01\xff",                                 // its path no UTF-8
	"\x22\x06\x0a\x01a\x12\x01b",                           // annotations
	"\x2a\x05\x0a\x03v/c",                                  // CDI device
	"\x2a\x03\x0a\x01\x80",                                 // its name no UTF-8
	"\x08\x01",                                             // field 1 as a number
	"\x30\x01", "\x32\x01x", "\x35abcd", "\x31abcdefgh",    // unknown fields of each wire type
	"\x33\x34", "\x33", "\x34", "\x33\x38\x01\x34", "\x33\x3b\x3c\x34", "\x33\x3c", // groups: whole, open, closed, nested, crossed
	"\x00\x00", "\x02\x00", "\x07", "\x06\x01", "\x0e\x01", // field 0, wire types 6 and 7
	"\x0a\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", // length of 2^63
	"\x0a\xff\xff\xff\xff\x0f", "\x0a\x80\x00", "\x0a\x7f",
	"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", "\xf8\xff\xff\xff\x0f\x01", "\xf8\xff\xff\xff\x7f\x01",
	"\x8a\x00\x00", // a long spelling of field 1
}

// mutateAllocResp changes the protobuf within a base64 text, or the base64.
func mutateAllocResp(r *rand.Rand, text string) string {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || r.IntN(8) == 0 {
		return mutateBase64(r, text)
	}
	b = slices.Clone(b)
	for range 1 + r.IntN(3) {
		part := []byte(pick(r, allocParts))
		if r.IntN(3) == 0 { // within a message, or a map's entry
			part = append(part, pick(r, allocParts)...)
			part = append([]byte{pick(r, []byte{0x0a, 0x12, 0x1a, 0x22, 0x2a, 0x32}), byte(max(0, len(part)-r.IntN(12)/11))}, part...)
		}
		switch r.IntN(7) {
		case 0:
			b = append(b, part...)
		case 1:
			b = append(part, b...)
		case 2:
			b = part
		case 3:
			b = slices.Insert(b, r.IntN(len(b)+1), part...)
		case 4:
			b = b[:r.IntN(len(b)+1)]
		default:
			if len(b) > 0 {
				b[r.IntN(len(b))] = byte(r.IntN(256))
			}
		}
	}
	return base64.StdEncoding.EncodeToString(b)
}

func mutateBase64(r *rand.Rand, text string) string {
	at := r.IntN(len(text) + 1)
	switch r.IntN(5) {
	case 0:
		return strings.TrimRight(text, "=")
	case 1:
		return text[:at]
	}
	return text[:at] + pick(r, []string{"\n", "\r\n", " ", "=", "==", "-", "_", "A", "é", "\xff", "\x00"}) + text[at:]
}
