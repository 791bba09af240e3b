package migrate

import "fmt"

// Loss is something that a document says and its next form cannot.
type Loss struct {
	Path   string `json:"path"`   // as a reader would name it: claims["uid"].devices
	Reason string `json:"reason"` // why it has no place
}

// Lost is a Loss and the step in which it arose.
type Lost struct {
	Loss
	From string `json:"from"` // the id of the version that still had it
	To   string `json:"to"`   // the id of the version that has no place for it
}

func (l Lost) String() string {
	return fmt.Sprintf("%s (%s to %s): %s", l.Path, l.From, l.To, l.Reason)
}
