package kubeletconfig

import (
	"errors"
	"strings"
)

// words splits a line as a shell does: at white space, but not within quotes
// or behind a backslash. Nothing is expanded.
func words(line string) ([]string, error) {
	var all []string
	var word strings.Builder
	inWord := false
	quote := rune(0)
	escaped := false
	for _, c := range line {
		switch {
		case escaped:
			if quote == '"' && c != '"' && c != '\\' && c != '$' && c != '`' {
				word.WriteByte('\\')
			}
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			escaped, inWord = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case strings.ContainsRune(" \t\r\n", c):
			if inWord {
				all = append(all, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	switch {
	case quote != 0:
		return nil, errors.New("a quote is not closed")
	case escaped:
		return nil, errors.New("a backslash is the last character")
	}
	if inWord {
		all = append(all, word.String())
	}
	return all, nil
}
