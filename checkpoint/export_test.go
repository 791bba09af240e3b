package checkpoint

// SealedPayload is a payload of a file that SealedFile makes.
type SealedPayload struct {
	Version    string
	Generation uint64
	JSON       string
	Damaged    bool // its digest does not fit
}

// SealedFile returns a file whose seal fits, whatever is in it.
func SealedFile(name string, payloads []SealedPayload) ([]byte, error) {
	e := &envelope{name: name}
	for _, p := range payloads {
		made := newPayload(p.Version, p.Generation, []byte(p.JSON))
		if p.Damaged {
			made.SHA256 = digest([]byte("something else"))
		}
		e.payloads = append(e.payloads, made)
	}
	return e.bytes()
}
