package migrate

import (
	"fmt"
	"strings"
)

// NewerVersionError says that a document is of a version that came after all
// those that are known. Nothing is wrong with it: a newer program reads it. For an
// operator that leaves two ways: to run that program again, or to drain what the
// document is about and begin without it, at the price of what it said.
type NewerVersionError struct {
	Found  string
	Newest string // that is known
}

func (e *NewerVersionError) Error() string {
	return fmt.Sprintf("written by a newer version: %q, the newest known here is %q", e.Found, e.Newest)
}

// UnknownVersionError says that a document is of a version that is not known and
// does not look like a later one.
type UnknownVersionError struct {
	Found string
	Known []string
}

func (e *UnknownVersionError) Error() string {
	return fmt.Sprintf("unknown version %q, known here are %s", e.Found, quoted(e.Known))
}

// UnknownFieldsError says that a document has fields which its version does not
// have here. Somebody has added to the version after it was in use, or has taken
// fields out of it, so that an older program has written the document. It is not
// corrupt, and reading it without them would lose them at the next write.
type UnknownFieldsError struct {
	Version string
	Fields  []string // paths, "claims.uid.share"
}

func (e *UnknownFieldsError) Error() string {
	return fmt.Sprintf("written by a newer version, or before a field was removed: %q has no %s here", e.Version, quoted(e.Fields))
}

// DecodeError says that a document is not JSON of its version's type.
type DecodeError struct {
	Version string
	Err     error
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("not a document of version %q: %v", e.Version, e.Err)
}

// Unwrap returns the error of encoding/json.
func (e *DecodeError) Unwrap() error { return e.Err }

// StepError says which step of a conversion has failed.
type StepError struct {
	From, To string
	Err      error
}

func (e *StepError) Error() string {
	return fmt.Sprintf("cannot convert from version %q to %q: %v", e.From, e.To, e.Err)
}

// Unwrap returns the error of the step.
func (e *StepError) Unwrap() error { return e.Err }

// quoted lists words, the first few of many.
func quoted(words []string) string {
	const most = 5
	var list []string
	for i, w := range words {
		if i == most {
			list = append(list, fmt.Sprintf("%d more", len(words)-most))
			break
		}
		list = append(list, fmt.Sprintf("%q", w))
	}
	return strings.Join(list, ", ")
}
