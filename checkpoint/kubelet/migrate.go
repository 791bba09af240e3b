package kubelet

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/migrate"
)

// A Migration is a file as another kubelet would have written it.
type Migration struct {
	Kind     Kind
	From, To string // formats: "cpu/v4", "cpu/v2"
	// Release and Gates are the kubelet that writes Bytes: the target that was
	// asked for or, if only a format was, the newest that writes it.
	Release string
	Gates   map[string]bool // the gates that matter and are on

	// Bytes are those that this kubelet writes for what the file says, with one
	// exception: it never reads back some of its own files (the finding
	// written-unreadable). There the checksum is the one that it accepts.
	Bytes []byte
	// Same: Bytes are those of the file.
	Same bool

	// Losses are what the file says and Bytes do not, or what their kubelet
	// drops as it reads them, by path into the file. Where the two halves of a
	// file say different things, that is what the legacy half says.
	Losses []migrate.Loss
	// Gaps are what the target has a place for and the file does not say, by
	// name, where the kubelet would act on its absence.
	Gaps []migrate.Loss

	// Source is the verdict on the file, with its findings.
	Source Verdict
	// Answer is what the target does with Bytes; it never is a refusal.
	Answer Answer
	// Findings are what is wrong with Bytes and was not with the file: what is
	// lost may have held the rest together.
	Findings []Finding
	// Content is what Bytes say, as Source.Content is what the file says.
	Content any
	back    any // Content in the layout of the file; nil: it has that
}

// Changes returns where Bytes differ in meaning from the file, by path into the
// file. That another layout has other paths is no difference.
func (m *Migration) Changes() []Change {
	if m.back != nil {
		return Changes(m.Source.Content, m.back)
	}
	return Changes(m.Source.Content, m.Content)
}

// Migrate writes what a file says as the kubelet of another release does, up or
// down. It is as pure as [Judge] and takes its options, but for Releases and
// Gates, which the target has.
//
// Where no kubelet reads what another wrote, it does what their layouts allow,
// and says what that costs. It returns no Migration, but
//
//   - a [*BrokenError] for a file that is not as it was written,
//   - a [*LayoutError] for one that may be of a newer version,
//   - a [*TargetError] if the target does not write files of this kind, or is
//     no kubelet that is known,
//   - a [*ContainersError] if container ids are needed that are not known,
//   - a [*RefusedError] if the target would not start with the result.
func Migrate(blob []byte, to Target, o Options) (Migration, error) {
	o.Releases, o.Gates = nil, nil
	s := newSession(blob)
	m := Migration{Source: s.judge(o), Losses: []migrate.Loss{}, Gaps: []migrate.Loss{}}
	k, from := tableOf(m.Source.Kind), formatByID(m.Source.Format)
	if err := sound(&m.Source); err != nil {
		return Migration{}, err
	}
	r, f, err := k.target(to, m.Source.Content)
	if err != nil {
		return Migration{}, err
	}
	m.Kind, m.From, m.To = k.kind, from.id.String(), f.id.String()
	m.Release, m.Gates = r.release.Name, r.gates
	if err := m.loseHalf(from, s.decode(from).doc); err != nil {
		return Migration{}, err
	}

	env := environment{file: fileFor(k.kind, o.FileName), policy: o.Policy, containers: o.Containers}
	if env.policy == "" {
		env.policy = m.Source.Policy
	}
	content := m.Source.Content
	if k.convert != nil && from != f {
		if content, err = k.convert(content, from, f, &env); err != nil {
			return Migration{}, err
		}
		// What is lost on the way is what the way back does not return.
		if back, err := k.convert(content, f, from, &env); err == nil {
			m.lose(k, r, f, lostPaths(m.Source.Content, back))
		}
		m.Gaps = append(m.Gaps, gaps(content, from, f)...)
	}
	hold := k.restore
	if k.hold != nil {
		hold = k.hold
	}
	held, no := hold(content, r, &env)
	if no != nil {
		return Migration{}, k.refused(r, &env, no)
	}
	if m.Bytes, err = f.written(held, r.release.Name); err != nil {
		return Migration{}, &TargetError{Kind: k.kind, Target: to, Reason: err.Error()}
	}
	m.Same = bytes.Equal(m.Bytes, blob)
	if err := m.readBack(k, r, f, content, &o); err != nil {
		return Migration{}, err
	}
	if k.convert != nil && from != f {
		if back, err := k.convert(m.Content, f, from, &env); err == nil {
			m.back = back
		}
	}
	m.addUnknown()
	return m, nil
}

// written is encode with a sum that the kubelet accepts when it reads it.
func (f *format) written(held any, release string) ([]byte, error) {
	blob, err := f.encode(held, release)
	if err != nil {
		return nil, err
	}
	doc, sm := f.fresh(), &f.sums[0]
	if err := f.unmarshal(blob, doc); err != nil {
		return nil, err
	}
	if v, err := sm.compute(&sm.spellings[0], doc); err == nil && v != sm.stored(doc) {
		return f.marshal(doc)
	}
	return blob, nil
}

// readBack judges the new bytes as their kubelet does, and finds what of content
// they do not say.
func (m *Migration) readBack(k *kindTable, r reader, f *format, content any, o *Options) error {
	s := newSession(m.Bytes)
	o.Kind, o.Releases, o.Gates = k.kind, []string{r.release.Name}, r.gates
	v := s.judge(*o)
	if len(v.Kubelets) != 1 {
		return &TargetError{Kind: k.kind, Target: Target{Release: r.release.Name}, Reason: "it does not read this kind of file"}
	}
	if m.Answer = v.Kubelets[0]; m.Answer.Verdict == Refused {
		return &RefusedError{m.Answer}
	}
	var err error
	if m.Content, err = f.content(s.decode(f).doc); err != nil {
		return err
	}
	if k.canonical != nil {
		content = k.canonical(content)
	}
	for _, found := range v.Findings {
		same := func(f Finding) bool {
			return f.Code == found.Code && f.Path == found.Path && (f.Code != codeInNoSet || f.Message == found.Message)
		}
		if found.Severity != SeverityInfo && found.Code != codeForgets && !slices.ContainsFunc(m.Source.Findings, same) {
			m.Findings = append(m.Findings, found)
		}
	}
	m.lose(k, r, f, lostPaths(content, m.Content))
	m.lose(k, r, f, m.Answer.Lost)
	return nil
}

// lose adds losses at paths.
func (m *Migration) lose(k *kindTable, r reader, f *format, paths []string) {
	for _, path := range paths {
		if k.kind == Device && !strings.HasPrefix(path, "Data.") {
			path = "Data." + path
		}
		m.Losses = append(m.Losses, migrate.Loss{Path: path, Reason: k.why(path, r, f)})
	}
}

// addUnknown counts as lost what no known release reads: the file may be of a
// newer one.
func (m *Migration) addUnknown() {
	for _, f := range m.Source.Findings {
		if f.Code == codeUnknownField {
			m.Losses = append(m.Losses, migrate.Loss{Path: f.Path, Reason: "no known kubelet has this field, but a newer version may"})
		}
	}
}
