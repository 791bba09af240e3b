package kubelet

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kubeckpt/ckpt/migrate"
)

// loseHalf lists in what the halves of a file of format f differ. The data half
// is what is migrated, as the kubelet reads it that wrote both; but an older one
// went by the legacy half, and nobody knows which of them is right.
func (m *Migration) loseHalf(f *format, doc any) error {
	half, ok := doc.(halved)
	if !ok {
		return nil
	}
	said, err := f.legacy.content(half.legacyHalf())
	if err != nil {
		return err
	}
	twin, err := f.legacy.build(m.Source.Content, m.Release)
	if err != nil {
		return err
	}
	same, err := f.legacy.content(twin)
	if err != nil {
		return err
	}
	last := f.legacy.writes[len(f.legacy.writes)-1].span.To
	for _, c := range Changes(said, same) {
		m.Losses = append(m.Losses, migrate.Loss{Path: dotted(c.Path), Reason: fmt.Sprintf(
			"the legacy half, all that kubelets up to %s read, says %s here; the data half, which is written, says %s",
			last, inShort(c.Old), inShort(c.New))})
	}
	return nil
}

// inShort is a value as part of a sentence.
func inShort(value string) string {
	const most = 60
	switch {
	case value == "":
		return "nothing"
	case len(value) > most:
		return "something else"
	case strings.ContainsAny(value[:1], "{[0123456789"):
		return value
	}
	return strconv.Quote(value)
}

// dotted writes the path of a change as that of a loss: a["b"].c as a.b.c.
func dotted(path string) string {
	var out strings.Builder
	for {
		at := strings.Index(path, `["`)
		if at < 0 {
			return out.String() + path
		}
		key, err := strconv.QuotedPrefix(path[at+1:])
		if err != nil {
			return out.String() + path
		}
		out.WriteString(path[:at])
		plain, _ := strconv.Unquote(key) // it is a prefix that is quoted
		out.WriteString("." + plain)
		path = strings.TrimPrefix(path[at+1+len(key):], "]")
	}
}
