package preflight

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

func joined(texts []string) string { return strings.Join(texts, ", ") }

func yes(b bool) string { return strconv.FormatBool(b) }

// ShellWord quotes text, if it must be, so that a shell takes it for one word.
func ShellWord(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./=,:@%+", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// quotedName returns the name in quotes within a text.
func quotedName(text string) string {
	_, rest, _ := strings.Cut(text, `"`)
	name, _, _ := strings.Cut(rest, `"`)
	return name
}

// aggregate spells several errors as Kubernetes does: each once, in brackets.
func aggregate(texts []string) string {
	seen := map[string]bool{}
	var once []string
	for _, t := range texts {
		if !seen[t] {
			seen[t] = true
			once = append(once, t)
		}
	}
	if len(once) == 1 {
		return once[0]
	}
	return "[" + joined(once) + "]"
}
