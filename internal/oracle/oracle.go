// Package oracle talks to the programs of testdata/oracle, which are the
// kubelet's own code as judge of its checkpoint files: one program a release,
// named oracle-1.37 and so on, that reads a JSON request a line and answers
// each with a JSON line, in order.
//
// Nothing here decides what is right. The package starts the programs, asks
// them, and reads and writes the files of testdata that keep their answers.
package oracle

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Request is one question. The zero value of a field leaves it out.
type Request struct {
	ID         string               `json:"id,omitempty"`
	Op         string               `json:"op"` // restore, write, checksum
	Kind       string               `json:"kind"`
	Policy     string               `json:"policy,omitempty"`
	Gates      string               `json:"gates,omitempty"` // "A=true,B=false"; others have their defaults
	Name       string               `json:"name,omitempty"`  // of the file; empty: the kubelet's own
	B64        *[]byte              `json:"b64,omitempty"`   // the file; nil: there is none
	State      json.RawMessage      `json:"state,omitempty"` // what write stores
	Bytes      bool                 `json:"bytes,omitempty"` // send the file back
	Containers map[string][2]string `json:"containers,omitempty"`
}

// File is the B64 of a request about these bytes.
func File(b []byte) *[]byte {
	b = append([]byte{}, b...) // nil is null in JSON, and no file
	return &b
}

// Answer is what one kubelet did.
type Answer struct {
	ID       string          `json:"id"`
	Version  string          `json:"version"`
	Accepted bool            `json:"accepted"`
	Error    string          `json:"error"`
	Panic    bool            `json:"panic"`
	State    json.RawMessage `json:"state"`
	B64      []byte          `json:"b64"`
}

// ErrDied means that a program ended or fell silent while a question was open:
// the kubelet's code crashed in a way that it cannot recover from, or hangs.
var ErrDied = errors.New("oracle died")

// answerTime is how long an answer may take before a program counts as hung.
const answerTime = 60 * time.Second

// Program is one running oracle. It is not safe for concurrent use.
type Program struct {
	Version string // "1.37.2", the patch release

	path string
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
}

// Start runs the oracle of a release from dir.
func Start(dir, release string) (*Program, error) {
	p := &Program{path: filepath.Join(dir, "oracle-"+release)}
	if err := p.start(); err != nil {
		return nil, err
	}
	answers, err := p.Ask([]Request{{Op: "gates"}})
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.Version = answers[0].Version
	return p, nil
}

func (p *Program) start() error {
	p.cmd = exec.Command(p.path)
	p.cmd.Stderr = os.Stderr
	p.cmd.Env = append(os.Environ(), "GOGC=400")
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.out = bufio.NewReaderSize(out, 1<<20)
	return p.cmd.Start()
}

// Close ends the program.
func (p *Program) Close() error {
	p.in.Close()
	return p.cmd.Wait()
}

// Ask sends all requests and returns their answers in order. On ErrDied it
// returns the answers that it got, and has started the program anew.
func (p *Program) Ask(requests []Request) ([]Answer, error) {
	process := p.cmd.Process
	stuck := time.AfterFunc(answerTime, func() { process.Kill() })
	defer stuck.Stop()
	go func(in io.Writer) {
		w := bufio.NewWriterSize(in, 1<<16)
		enc := json.NewEncoder(w)
		for i := range requests {
			if enc.Encode(&requests[i]) != nil {
				return // the reader below notices
			}
		}
		w.Flush()
	}(p.in)
	answers := make([]Answer, 0, len(requests))
	for range requests {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			p.in.Close()
			p.cmd.Wait()
			return answers, errors.Join(fmt.Errorf("%w: %s: %v", ErrDied, filepath.Base(p.path), err), p.start())
		}
		stuck.Reset(answerTime)
		var a Answer
		if err := json.Unmarshal(line, &a); err != nil {
			return answers, fmt.Errorf("%s: %w", filepath.Base(p.path), err)
		}
		if strings.HasPrefix(a.Error, "oracle: ") {
			return answers, fmt.Errorf("%s: %s", filepath.Base(p.path), a.Error)
		}
		answers = append(answers, a)
	}
	return answers, nil
}
