package render

import (
	"strings"
	"unicode"
)

// looksSecret reports whether a value is better not shown on a screen that
// others see. It errs on the side of hiding.
func looksSecret(key, value string) bool {
	return value != "" && (secretKey(key) || secretValue(value))
}

// secretKey looks for telling words. Parts of words count where they hardly mean
// anything else; AUTH counts in AUTH_HEADER, not in AUTHOR.
func secretKey(key string) bool {
	lower := strings.ToLower(key)
	letters := strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return r
	}, lower)
	for _, part := range []string{"password", "passwd", "passphrase", "secret", "token", "credential", "apikey",
		"accesskey", "privatekey", "sshkey", "encryptionkey", "licensekey", "signingkey"} {
		if strings.Contains(letters, part) {
			return true
		}
	}
	for word := range strings.FieldsFuncSeq(lower, func(r rune) bool { return !unicode.IsLetter(r) }) {
		switch word {
		case "pass", "pwd", "auth", "cred", "creds", "bearer", "private":
			return true
		}
	}
	return false
}

// secretValue knows the shapes of common secrets: keys in PEM, JSON web tokens,
// tokens of well-known services, a password within a URL.
func secretValue(value string) bool {
	if strings.Contains(value, "-----BEGIN ") {
		return true
	}
	if _, rest, ok := strings.Cut(value, "eyJ"); ok && strings.Count(rest, ".") >= 2 {
		return true
	}
	for _, token := range []struct {
		prefix string
		length int // of the shortest, prefix included
	}{{"AKIA", 20}, {"ASIA", 20}, {"ghp_", 24}, {"gho_", 24}, {"ghu_", 24}, {"ghs_", 24}, {"ghr_", 24},
		{"github_pat_", 24}, {"glpat-", 20}, {"xoxa-", 15}, {"xoxb-", 15}, {"xoxp-", 15}, {"xoxr-", 15},
		{"xoxs-", 15}, {"sk-", 23}} {
		if strings.HasPrefix(value, token.prefix) && len(value) >= token.length {
			return true
		}
	}
	_, authority, _ := strings.Cut(value, "://")
	authority, _, _ = strings.Cut(authority, "/")
	user, _, ok := strings.Cut(authority, "@")
	return ok && strings.Contains(user, ":")
}

// value is a value of a key, hidden if it looks like a secret.
func (p *page) value(key, value string, o Options) text {
	if o.ShowSecrets || !looksSecret(key, value) {
		return clean(value)
	}
	p.hidden = true
	return textf("(hidden, %d bytes)", len(value))
}

// redact is value for JSON, where it stays a string of the same field.
func (o Options) redact(key, value string) string {
	if o.ShowSecrets || !looksSecret(key, value) {
		return value
	}
	return strings.Repeat("*", 8)
}
