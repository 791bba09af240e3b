package checkpoint

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// notUTF8 is what encoding/json writes for a byte that is no UTF-8. A U+FFFD that was
// in the text already is written as itself.
const notUTF8 = `\ufffd`

// comesBack says what of a state is lost in its own JSON: encoding/json writes text
// that is not UTF-8 as something else, by which two keys of a map may become one. doc
// is what was read back from text.
//
// Not all that differs is a loss: a number in an interface comes back as a float64,
// and a struct as a map, as Open says. A json.RawMessage in an interface that has the
// escape of U+FFFD in it cannot be told from text that is not UTF-8, and is refused.
func comesBack(doc any, text []byte) error {
	again, err := json.Marshal(doc)
	if err != nil || bytes.Equal(text, again) {
		return err
	}
	if n := bytes.Count(text, []byte(notUTF8)); n > bytes.Count(again, []byte(notUTF8)) {
		return fmt.Errorf("the state has text that is not UTF-8 and would not come back, near %s", around(text, bytes.Index(text, []byte(notUTF8))))
	}
	if name, ok := memberTwice(text); ok {
		return fmt.Errorf("the state would not come back: two keys of a map are both written as %q", name)
	}
	return nil
}

// around returns the text before and after a place, on one line.
func around(text []byte, at int) string {
	const width = 20
	return fmt.Sprintf("%q", text[max(at-width, 0):min(at+len(notUTF8)+width, len(text))])
}

// memberTwice returns a name that two members of one object of a JSON text have.
func memberTwice(text []byte) (string, bool) {
	type level struct {
		names  map[string]bool // nil: an array
		isName bool            // what comes next
	}
	var levels []level
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		token, err := d.Token()
		if err != nil {
			return "", false
		}
		top := len(levels) - 1
		if name, ok := token.(string); ok && top >= 0 && levels[top].names != nil && levels[top].isName {
			if levels[top].names[name] {
				return name, true
			}
			levels[top].names[name], levels[top].isName = true, false
			continue
		}
		switch token {
		case json.Delim('{'):
			levels = append(levels, level{names: map[string]bool{}, isName: true})
			continue
		case json.Delim('['):
			levels = append(levels, level{})
			continue
		case json.Delim('}'), json.Delim(']'):
			levels = levels[:top]
			top--
		}
		if top >= 0 { // a value has ended
			levels[top].isName = true
		}
	}
}
