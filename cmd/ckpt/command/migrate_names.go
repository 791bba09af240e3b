package command

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/input"
	"github.com/kubeckpt/ckpt/migrate"
)

// A kubelet may keep under one name what another keeps under a second, and look
// at neither file of the other. What is migrated in place follows the target:
// its name is made if it is not there. If it is, the older of the two files is
// stale, and no kubelet's state any more.

// knownAs returns the file that a kubelet keeps at path, if it keeps one.
func knownAs(path string) (kubelet.File, bool) {
	for _, f := range kubelet.Files() {
		if strings.HasSuffix("/"+filepath.ToSlash(path), "/"+f.Name) {
			return f, true
		}
	}
	return kubelet.File{}, false
}

// nameIn returns what a release calls the file that another calls f. There is
// none for a file that is kept beside that one.
func nameIn(release string, f kubelet.File) (name string, ok bool) {
	first := func(release string) string {
		for _, g := range kubelet.Files() {
			if g.Kind == f.Kind && g.Span.Has(release) {
				return g.Name
			}
		}
		return ""
	}
	name = first(release)
	return name, name != "" && first(f.Span.From) == f.Name
}

// settle says what becomes of a file that the target does not look at under its
// name: it goes under another, is left alone, or is lost.
func (p *plan) settle(r *input.Reader, s *step, opts kubelet.Options) {
	f, known := knownAs(s.File)
	release := cmp.Or(p.to.Release, s.Release)
	if !p.inPlace || !known || release == "" {
		return
	}
	if f.Span.Has(release) {
		p.beside(s, f, release)
		return
	}
	name, ok := nameIn(release, f)
	if !ok {
		if s.code == exitGood {
			p.forsake(s, fmt.Sprintf("kubelet %s keeps no such file", release))
		}
		return
	}
	path := strings.TrimSuffix(s.File, f.Name) + name
	switch _, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
		if s.code == exitGood {
			s.fresh = path
			s.Info = fmt.Sprintf("kubelet %s keeps this in %s, which is not there: that is made, and %s stays as it is", release, name, f.Name)
		}
		return
	case err != nil:
		s.Error, s.code = err.Error(), exitUndecided
		return
	}
	reads := fmt.Sprintf("kubelet %s reads %s instead", release, name)
	if s.code == exitGood && p.becomes(r, path, s.new, opts) {
		less := s.Losses
		p.leave(s, reads+", which says the same")
		if len(less) > 0 {
			s.Unused += " but what that cannot hold: " + someOf(less)
		}
		return
	}
	mine, err := os.Stat(s.File)
	other, otherErr := os.Stat(path)
	if err = errors.Join(err, otherErr); err != nil {
		s.Error, s.code = err.Error(), exitUndecided
		return
	}
	why := ""
	switch {
	case other.ModTime().Before(mine.ModTime()):
		why = fmt.Sprintf("which is older (%s) than this file (%s) and says something else", when(other), when(mine))
	case other.ModTime().Equal(mine.ModTime()):
		why = fmt.Sprintf("which is of the same time (%s) as this file and says something else", when(mine))
	case !p.sound(r, path, opts):
		why = "which is newer, but not sound"
	default:
		p.leave(s, reads+", which is newer: this one is stale")
		return
	}
	if s.code == exitGood {
		p.forsake(s, reads+", "+why)
		if len(s.Losses) > 0 {
			s.Info = fmt.Sprintf("to make %s of this file, put the other aside and migrate again: mv -n %s %s",
				name, preflight.ShellWord(path), preflight.ShellWord(path+".stale"))
		}
	}
}

// sound reports whether the file at path is good.
func (p *plan) sound(r *input.Reader, path string, opts kubelet.Options) bool {
	c, err := r.ReadFile(path, nil)
	opts.FileName = path
	return err == nil && kubelet.Judge(c.Bytes, opts).State == kubelet.StateOK
}

// beside finds a file that another release kept under another name after s, the
// target's own, was written: what that says would be taken for stale once s is
// written anew. In a plan of both, that file has its own step.
func (p *plan) beside(s *step, f kubelet.File, release string) {
	mine, err := os.Stat(s.File)
	if err != nil || s.code != exitGood || p.whole || !p.writes(s) {
		return
	}
	for _, g := range kubelet.Files() {
		if name, ok := nameIn(release, g); g.Kind != f.Kind || g.Span.Has(release) || !ok || name != f.Name {
			continue
		}
		path := strings.TrimSuffix(s.File, f.Name) + g.Name
		if other, err := os.Stat(path); err == nil && !other.ModTime().Before(mine.ModTime()) {
			s.Losses = append(s.Losses, migrate.Loss{Path: g.Name,
				Reason: fmt.Sprintf("it lies beside this file and is not older (%s, this file %s), and kubelet %s does not read it: migrate the directory, which compares them", when(other), when(mine), release)})
		}
	}
}

// someOf names the first few paths.
func someOf(losses []migrate.Loss) string {
	const most = 3
	var paths []string
	for _, l := range losses[:min(most, len(losses))] {
		paths = append(paths, l.Path)
	}
	text := strings.Join(paths, ", ")
	if more := len(losses) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func when(info fs.FileInfo) string { return info.ModTime().UTC().Format("2006-01-02T15:04:05.000Z") }

// becomes reports whether the file at path is migrated to data.
func (p *plan) becomes(r *input.Reader, path string, data []byte, opts kubelet.Options) bool {
	c, err := r.ReadFile(path, nil)
	if err != nil {
		return false
	}
	opts.FileName = path
	m, err := kubelet.Migrate(c.Bytes, p.to, opts)
	return err == nil && bytes.Equal(m.Bytes, data)
}

// leave leaves a file alone of which nothing is lost.
func (p *plan) leave(s *step, why string) {
	s.Losses, s.Gaps, s.Then, s.Findings, s.Differences = nil, nil, nil, nil, nil
	s.Unused, s.Error, s.code = why, "", exitGood
}

// forsake leaves a file alone of which all is lost.
func (p *plan) forsake(s *step, why string) {
	content := s.content
	p.leave(s, why)
	s.Losses = everything(content, fmt.Sprintf("kubelet %s does not read this file", cmp.Or(p.to.Release, s.Release)))
}

// everything lists all that content says, by its top fields.
func everything(content any, reason string) []migrate.Loss {
	b, err := json.Marshal(content)
	var fields map[string]json.RawMessage
	if err != nil || json.Unmarshal(b, &fields) != nil {
		return []migrate.Loss{{Reason: reason}}
	}
	var list []migrate.Loss
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch string(fields[name]) {
		case "null", "{}", "[]", `""`:
		default:
			list = append(list, migrate.Loss{Path: name, Reason: reason})
		}
	}
	return list
}

// asideOf takes from the losses of a file that is kept beside another what the
// other says as well.
func (p *plan) asideOf(s *step) {
	f, known := knownAs(s.File)
	if !known || s.Unused == "" || len(s.Losses) == 0 {
		return
	}
	if _, own := nameIn(f.Span.From, f); own {
		return
	}
	for _, other := range p.steps {
		g, known := knownAs(other.File)
		if !known || other == s || g.Kind != f.Kind || other.code != exitGood || other.content == nil ||
			strings.TrimSuffix(other.File, g.Name) != strings.TrimSuffix(s.File, f.Name) || !g.Span.Has(f.Span.From) {
			continue
		}
		s.Losses = nil
		for _, c := range kubelet.Changes(s.content, other.content) {
			s.Losses = append(s.Losses, migrate.Loss{Path: c.Path, Reason: fmt.Sprintf("%s says something else, and this file is not read", g.Name)})
		}
		if len(s.Losses) == 0 {
			s.Unused += fmt.Sprintf("; %s says the same", g.Name)
		}
		return
	}
}

// uncreate removes what rewrite.New has made.
func uncreate(path string, data []byte) error {
	s, err := filestore.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	key := filepath.Base(path)
	switch now, err := s.Read(key); {
	case errors.Is(err, filestore.ErrKeyNotFound):
		return nil
	case err != nil:
		return err
	case !bytes.Equal(now, data):
		return filestore.ErrChanged
	}
	return s.Delete(key)
}
