// Package sniff tells from its first bytes what a file is that is no
// checkpoint: an archive, a page of HTML, zeros left by a power cut.
//
// It is a guess to help a person, made of magic numbers and nothing deeper. It
// is pure, never fails, and looks at no more than it is given: about a file
// larger than those bytes it says what they look like.
package sniff

import (
	"bytes"
	"unicode/utf8"
)

// Kind is what bytes look like. Its value is a stable word.
type Kind string

const (
	Empty               Kind = "empty"
	NULs                Kind = "nul-bytes"   // nothing but NUL
	LeadingNULs         Kind = "leading-nul" // NUL first, then something else
	JSON                Kind = "json"        // an object or array may start here; no more is checked
	ContainerCheckpoint Kind = "container-checkpoint"
	Tar                 Kind = "tar"
	Gzip                Kind = "gzip"
	XZ                  Kind = "xz"
	Zstd                Kind = "zstd"
	Bzip2               Kind = "bzip2"
	Zip                 Kind = "zip"
	ELF                 Kind = "elf"
	UTF16               Kind = "utf-16"
	BOM                 Kind = "utf-8-bom" // a byte order mark before UTF-8
	PEM                 Kind = "pem"
	HTML                Kind = "html"
	XML                 Kind = "xml"
	YAML                Kind = "yaml"
	Text                Kind = "text"
	Binary              Kind = "binary"
)

// String completes a sentence that starts with the name of a file.
func (k Kind) String() string {
	switch k {
	case Empty:
		return "is empty"
	case NULs:
		return "holds nothing but NUL bytes"
	case LeadingNULs:
		return "starts with NUL bytes"
	case JSON:
		return "looks like JSON"
	case ContainerCheckpoint:
		return "is a container checkpoint archive; use checkpointctl"
	case Tar:
		return "is a tar archive; unpack it first"
	case Gzip:
		return "is compressed with gzip; unpack it first"
	case XZ:
		return "is compressed with xz; unpack it first"
	case Zstd:
		return "is compressed with zstd; unpack it first"
	case Bzip2:
		return "is compressed with bzip2; unpack it first"
	case Zip:
		return "is a zip archive; unpack it first"
	case ELF:
		return "is an ELF binary"
	case UTF16:
		return "is text in UTF-16; convert it to UTF-8 first"
	case BOM:
		return "starts with a byte order mark"
	case PEM:
		return "is a PEM file, such as a certificate or a key"
	case HTML:
		return "looks like HTML"
	case XML:
		return "looks like XML"
	case YAML:
		return "looks like YAML"
	case Text:
		return "is text, but not JSON"
	case Binary:
		return "is binary data"
	}
	return "is of an unknown kind"
}

// magics start files of their kind and no other; the first match decides.
var magics = []struct {
	prefix string
	kind   Kind
}{
	{"\x1f\x8b", Gzip},
	{"\xfd7zXZ\x00", XZ},
	{"\x28\xb5\x2f\xfd", Zstd},
	{"BZh9", Bzip2},
	{"PK\x03\x04", Zip},
	{"PK\x05\x06", Zip}, // without entries
	{"\x7fELF", ELF},
	{"\xff\xfe", UTF16},
	{"\xfe\xff", UTF16},
	{"{\x00", UTF16}, // JSON without the mark
	{"\x00{\x00", UTF16},
	{"\xef\xbb\xbf", BOM},
	{"-----BEGIN ", PEM},
}

// Guess says what b, a file or the start of one, looks like.
func Guess(b []byte) Kind {
	if len(b) == 0 {
		return Empty
	}
	for _, m := range magics {
		if bytes.HasPrefix(b, []byte(m.prefix)) {
			return m.kind
		}
	}
	if isTar(b) {
		if holdsContainer(b) {
			return ContainerCheckpoint
		}
		return Tar
	}
	if b[0] == 0 {
		if len(bytes.TrimLeft(b, "\x00")) == 0 {
			return NULs
		}
		return LeadingNULs
	}
	return guessText(b[:min(len(b), 4096)])
}

// guessText judges by the start alone: that a NUL or a broken character comes
// later in the file is the decoder's to say, with the offset.
func guessText(b []byte) Kind {
	text := bytes.TrimLeft(b, " \t\r\n")
	if len(text) == 0 {
		return Text
	}
	if text[0] == '{' || text[0] == '[' {
		return JSON
	}
	if !isText(b) {
		return Binary
	}
	switch {
	case text[0] == '<':
		return guessMarkup(text)
	case looksYAML(text):
		return YAML
	}
	return Text
}

func isText(b []byte) bool {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return !utf8.FullRune(b[i:]) // b may end in the middle of a character
		}
		if r < ' ' && !bytes.ContainsRune([]byte("\t\r\n\f\x1b"), r) {
			return false
		}
		i += n
	}
	return true
}

func guessMarkup(text []byte) Kind {
	head := bytes.ToLower(text[:min(len(text), 512)])
	switch {
	case bytes.HasPrefix(head, []byte("<!doctype html")), bytes.Contains(head, []byte("<html")):
		return HTML
	case len(head) > 1 && (head[1] == '?' || head[1] == '!' || 'a' <= head[1] && head[1] <= 'z'):
		return XML
	}
	return Text
}

// looksYAML wants the first line that is no comment to be "---", a key, or
// "- key:".
func looksYAML(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if bytes.Equal(line, []byte("---")) {
			return true
		}
		line = bytes.TrimPrefix(line, []byte("- "))
		key, value, found := bytes.Cut(line, []byte(":"))
		// A second colon is no YAML, but common in what a shell complains of.
		return found && isKey(key) && (len(value) == 0 || value[0] == ' ') && !bytes.Contains(value, []byte(": "))
	}
	return false
}

func isKey(b []byte) bool {
	for _, c := range b {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-', c == '.', c == '/', c == '"':
		default:
			return false
		}
	}
	return len(b) > 0
}
