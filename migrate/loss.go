// Package migrate turns a document of one on-disk version into that of another,
// and says what is lost.
package migrate

// Loss is something that a document says and its next form cannot.
type Loss struct {
	Path   string `json:"path"`   // as a reader would name it: claims["uid"].devices
	Reason string `json:"reason"` // why it has no place
}
