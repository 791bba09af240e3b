package kubelet

import (
	"fmt"
	"strings"
)

// sentence says in words what happened, without a full stop.
func (e *Explanation) sentence() string {
	where := e.Path
	switch e.Kind {
	case KindValue:
		if where == "checksum" || where == "Checksum" || where == "dataChecksum" {
			return fmt.Sprintf("the stored checksum itself was changed from %s to %s; the content is as it was", e.Old, e.New)
		}
		if e.Old == "" {
			return fmt.Sprintf("%s was empty and is now %s", where, quoted(e.New))
		}
		return fmt.Sprintf("%s was changed from %s to %s", where, quoted(e.Old), quoted(e.New))
	case KindByte:
		switch {
		case e.Path != "" && (e.Old == "" && e.New == "" || strings.HasSuffix(e.Path, "AllocResp")):
			return fmt.Sprintf("one byte of %s was changed", where)
		case e.Old == "":
			return fmt.Sprintf("%s was put in%s", quoted(e.New), atPlace(e))
		case e.New == "":
			return fmt.Sprintf("%s was lost%s", quoted(e.Old), atPlace(e))
		}
		return fmt.Sprintf("%s stands in place of %s%s", quoted(e.New), quoted(e.Old), atPlace(e))
	case KindKey:
		if up := strings.TrimSuffix(strings.TrimSuffix(where, "["+fmt.Sprintf("%q", e.New)+"]"), "."+e.New); up != where && up != "" {
			return fmt.Sprintf("the name %s in %s was %s when the checksum was made", quoted(e.New), up, quoted(e.Old))
		}
		return fmt.Sprintf("the name %s was %s when the checksum was made", quoted(e.New), quoted(e.Old))
	case KindAdded:
		if len(e.Also) > 0 && e.Also[0].Old == "" {
			return fmt.Sprintf("%s and %d more entries were added after the checksum was made", where, len(e.Also))
		}
		if len(e.Also) > 0 {
			return fmt.Sprintf("%s was added after the checksum was made, and %s was changed from %s to %s",
				where, e.Also[0].Path, quoted(e.Also[0].Old), quoted(e.Also[0].New))
		}
		return fmt.Sprintf("%s was added after the checksum was made", where)
	case KindMissing:
		return fmt.Sprintf("the entry %s is missing: %s", where, e.Old)
	case KindSwapped:
		return fmt.Sprintf("the values of %s and %s were exchanged", where, e.Also[0].Path)
	case KindPair:
		var parts []string
		for _, c := range e.Also {
			parts = append(parts, fmt.Sprintf("%s from %s to %s", c.Path, quoted(c.Old), quoted(c.New)))
		}
		return fmt.Sprintf("%s was changed from %s to %s, and %s", where, quoted(e.Old), quoted(e.New), strings.Join(parts, ", and "))
	case KindNull:
		if len(e.Also) > 0 {
			return fmt.Sprintf("%s and %d more are %s, but were %s when the checksum was made", where, len(e.Also), e.New, e.Old)
		}
		return fmt.Sprintf("%s is %s, but was %s when the checksum was made", where, e.New, e.Old)
	case KindHalves:
		n := len(e.Also) + 1
		if n == 1 {
			return fmt.Sprintf("the halves of the file differ in %s: %s against %s", where, quoted(e.Old), quoted(e.New))
		}
		return fmt.Sprintf("the halves of the file differ in %d places, the first of them %s", n, where)
	}
	return "it is not known what happened"
}

func atPlace(e *Explanation) string {
	if e.Offset >= 0 {
		return fmt.Sprintf(" at byte %d", e.Offset)
	}
	return " in " + e.Path
}

// quoted shortens long values and marks empty ones.
func quoted(s string) string {
	const long = 80
	if len(s) > long {
		s = strings.ToValidUTF8(s[:long], "") + "…"
	}
	return fmt.Sprintf("%q", s)
}
