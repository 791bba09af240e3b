// Package serve is the part of an oracle that is the same for every release:
// the protocol, and a private directory for the file that is judged. It
// imports nothing of Kubernetes.
package serve

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// File is where a kubelet finds its checkpoint, and what it knows beside it.
type File struct {
	Dir, Name  string
	Policy     string
	Containers map[string][2]string // container ID → pod UID, container name
}

// Kind is one kind of checkpoint in one release.
type Kind struct {
	// Name of the file, unless the request says another.
	Name string
	// Restore does what the kubelet does with the file at its start, and
	// returns the state that it then holds.
	Restore func(File) (any, error)
	// Write has the kubelet's own writer store a state, as Restore returns it.
	Write func(File, json.RawMessage) error
	// Sums reads bytes as every checkpoint struct that the release exports.
	Sums func([]byte) []Sum
}

// Sum is what one struct of the release makes of a file.
type Sum struct {
	Format string `json:"format"`
	Stored any    `json:"stored,omitempty"`
	// Computed is the sum of what the struct's own writer would store.
	Computed any    `json:"computed,omitempty"`
	Error    string `json:"error"` // empty: decodes, and the sum matches
}

// Release is one oracle.
type Release struct {
	Kinds map[string]Kind
	// SetGates sets feature gates; undo sets them back.
	SetGates func(map[string]bool) (undo func(), err error)
	// Gates returns the values of those of the gates that the release has.
	Gates func(names []string) map[string]bool
}

// Request is one line of input.
type Request struct {
	ID         string               `json:"id"`
	Op         string               `json:"op"`
	Kind       string               `json:"kind"`
	Policy     string               `json:"policy"`
	Gates      string               `json:"gates"` // A=true,B=false; for the op gates, names alone
	Name       string               `json:"name"`
	B64        *string              `json:"b64"` // nil: there is no file
	State      json.RawMessage      `json:"state"`
	Bytes      bool                 `json:"bytes"`
	Containers map[string][2]string `json:"containers"`
}

// Answer is one line of output.
type Answer struct {
	ID       string          `json:"id,omitempty"`
	Version  string          `json:"version"` // of k8s.io/kubernetes
	Accepted bool            `json:"accepted"`
	Error    string          `json:"error"`
	Panic    bool            `json:"panic,omitempty"`   // the kubelet's code panicked; Error has the words
	Changed  bool            `json:"changed,omitempty"` // restoring created or changed the file
	State    json.RawMessage `json:"state,omitempty"`
	B64      string          `json:"b64,omitempty"`
	Sums     []Sum           `json:"sums,omitempty"`
	Gates    map[string]bool `json:"gates,omitempty"`
}

// Main answers the requests on standard input until it ends.
func Main(r Release) {
	if err := serve(r, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func serve(r Release, in io.Reader, out io.Writer) error {
	base := "/dev/shm" // judging is mostly file calls
	if _, err := os.Stat(base); err != nil {
		base = ""
	}
	dir, err := os.MkdirTemp(base, "oracle-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := &server{release: r, version: version(), dir: dir}
	lines := bufio.NewReaderSize(in, 1<<20)
	w := bufio.NewWriterSize(out, 1<<16)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if err := enc.Encode(s.answer(line)); err != nil {
				return err
			}
			if lines.Buffered() == 0 {
				if err := w.Flush(); err != nil {
					return err
				}
			}
		}
		if err == io.EOF {
			return w.Flush()
		}
		if err != nil {
			return err
		}
	}
}

// version is that of the kubelet's code in this program.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, d := range info.Deps {
		if d.Path == "k8s.io/kubernetes" {
			return strings.TrimPrefix(d.Version, "v")
		}
	}
	return ""
}

type server struct {
	release Release
	version string
	dir     string

	// gates of the latest request stay set until another asks for others:
	// setting them takes longer than judging a file.
	gates string
	undo  func()
}

func (s *server) setGates(text string) error {
	if text == s.gates {
		return nil
	}
	if s.undo != nil {
		s.undo()
	}
	s.gates, s.undo = "", nil
	if text == "" {
		return nil
	}
	gates, err := parseGates(text)
	if err != nil {
		return err
	}
	if s.undo, err = s.release.SetGates(gates); err == nil {
		s.gates = text
	}
	return err
}

func (s *server) answer(line []byte) (a Answer) {
	var q Request
	err := json.Unmarshal(line, &q)
	a.ID, a.Version = q.ID, s.version
	if err == nil {
		err = s.do(&q, &a)
	}
	if err != nil { // not the kubelet's doing
		a = Answer{ID: q.ID, Version: s.version, Error: "oracle: " + err.Error()}
	}
	return a
}

// do fills in the answer. An error is one of the request's or the oracle's
// own; what the kubelet says goes into the answer.
func (s *server) do(q *Request, a *Answer) error {
	if q.Op == "gates" {
		a.Gates, a.Accepted = s.release.Gates(strings.Split(q.Gates, ",")), true
		return nil
	}
	kind, ok := s.release.Kinds[q.Kind]
	if !ok {
		return fmt.Errorf("this release has no kind %q", q.Kind)
	}
	if err := s.setGates(q.Gates); err != nil {
		return err
	}
	f := File{Dir: s.dir, Name: q.Name, Policy: q.Policy, Containers: q.Containers}
	if f.Name == "" {
		f.Name = kind.Name
	}
	var before []byte
	if q.B64 != nil {
		var err error
		if before, err = base64.StdEncoding.DecodeString(*q.B64); err != nil {
			return err
		}
	}
	path := filepath.Join(s.dir, f.Name)
	defer os.Remove(path)
	if q.B64 != nil && q.Op == "restore" {
		if err := os.WriteFile(path, before, 0o600); err != nil {
			return err
		}
	}
	var state any
	var said error
	switch q.Op {
	case "restore":
		said = a.guard(func() (err error) { state, err = kind.Restore(f); return err })
	case "write":
		said = a.guard(func() error { return kind.Write(f, q.State) })
	case "checksum":
		said = a.guard(func() error { a.Sums = kind.Sums(before); return nil })
	default:
		return fmt.Errorf("unknown op %q", q.Op)
	}
	if said != nil {
		a.Error = strings.ReplaceAll(said.Error(), s.dir, "/var/lib/kubelet")
		return nil
	}
	a.Accepted = true
	after, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	a.Changed = q.Op == "restore" && !bytes.Equal(before, after)
	if q.Bytes {
		a.B64 = base64.StdEncoding.EncodeToString(after)
	}
	if q.Op == "restore" {
		a.State, err = json.Marshal(state)
	}
	return err
}

// guard runs the kubelet's code, which may panic.
func (a *Answer) guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			a.Panic = true
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}

func parseGates(s string) (map[string]bool, error) {
	gates := map[string]bool{}
	for _, setting := range strings.Split(s, ",") {
		name, value, _ := strings.Cut(setting, "=")
		if value != "true" && value != "false" {
			return nil, fmt.Errorf("gate %q is set to neither true nor false", setting)
		}
		gates[name] = value == "true"
	}
	return gates, nil
}

// Decode reads a state strictly: a misspelt field is an error and not an empty
// state.
func Decode(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("state: %w", err)
	}
	return nil
}
