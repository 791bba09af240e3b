package kubelet

import (
	"fmt"
	"slices"
	"strings"
)

// Codes of findings. They are stable; docs/findings.md explains each.
const (
	codeEmpty          = "empty-file"
	codeNUL            = "nul-bytes"
	codeTruncated      = "truncated"
	codeTrailing       = "trailing-data"
	codeSyntax         = "not-json"
	codeType           = "wrong-type"
	codeBOM            = "byte-order-mark"
	codeNotCheckpoint  = "not-a-checkpoint"
	codeWrongKind      = "wrong-kind"
	codeMismatch       = "checksum-mismatch"
	codeMissing        = "checksum-missing"
	codeLegacyMismatch = "legacy-checksum-mismatch"
	codeHalves         = "halves-differ"
	codeInner          = "inner-document"
	codeRefused        = "refused"
	codeCrash          = "kubelet-crash"
	codeNoReader       = "no-reader"
	codeForgets        = "forgets"
	codePreRelease     = "pre-release-format"
	codeOwnBug         = "written-unreadable"
	codeContainers     = "needs-containers"
	codeStartsEmpty    = "kubelet-starts-empty"
	codeCPUs           = "cpu-count"
	codeMore           = "more-findings"
	codeUnknownField   = "unknown-field"
	codeKeyCase        = "key-case"
	codeDuplicate      = "duplicate-key"
	codeUTF8           = "invalid-utf8"
)

func (v *Verdict) add(code string, severity Severity, path, message, hint string) {
	v.Findings = append(v.Findings, Finding{code, severity, path, message, hint})
}

// hintReplace is what an operator can do about a file that no kubelet reads.
const hintReplace = "keep a copy, drain the node, delete the file and restart the kubelet; without the drain, pods that run on share what they hold with others"

// hintRepair goes before hintReplace where the file may say what it was.
const hintRepair = "ckpt repair undoes it if it is found out what happened; else "

// addDamage says why the file does not decode.
func (v *Verdict) addDamage(s *session, blob []byte) {
	d := v.Damage
	if d == nil {
		return
	}
	at := fmt.Sprintf(" (byte %d of %d)", d.Offset, len(blob))
	switch d.Reason {
	case DamageEmpty:
		v.add(codeEmpty, SeverityError, "", "the file is empty",
			"the node lost power or ran out of disk space while the file was written; "+hintReplace)
	case DamageNUL:
		v.add(codeNUL, SeverityError, "", "the file holds NUL bytes"+at,
			"blocks that were never written, as after a power cut: ckpt explain lists what is whole, and ckpt repair keeps a half that is, if it is told to; else "+hintReplace)
	case DamageTruncated:
		v.add(codeTruncated, SeverityError, "", fmt.Sprintf("the file ends after %d bytes, in the middle of the JSON", len(blob)),
			"the end is lost: ckpt explain lists what is whole, and ckpt repair keeps a half that is, if it is told to; else "+hintReplace)
	case DamageTrailing:
		v.add(codeTrailing, SeverityError, "", fmt.Sprintf("a whole JSON object is followed by %d more bytes%s", len(blob)-int(d.Offset), at),
			fmt.Sprintf("the rest of an older, longer file, or something appended; ckpt repair cuts it off if the first %d bytes are whole", d.Offset))
	case DamageCPUs:
		v.add(codeCPUs, SeverityError, "", d.Error, "no machine has so many, and a kubelet would use up its memory on this; "+hintReplace)
	case DamageType:
		v.add(codeType, SeverityError, "", "the JSON has another structure than the kubelet's: "+strings.TrimPrefix(d.Error, "json: "),
			"the file was edited, or another program wrote it")
	default:
		if strings.HasPrefix(string(blob), "\xef\xbb\xbf") {
			v.add(codeBOM, SeverityError, "", "the file begins with a byte order mark, which the kubelet does not skip",
				"an editor added it; ckpt repair takes it out")
			return
		}
		v.add(codeSyntax, SeverityError, "", "the file is not JSON: "+d.Error+at, syntaxHint(blob, d.Offset))
	}
}

// syntaxHint names the edits that people make.
func syntaxHint(blob []byte, offset int64) string {
	if offset >= int64(len(blob)) {
		return hintReplace
	}
	before := strings.TrimRight(string(blob[:offset]), " \t\r\n")
	switch c := blob[offset]; {
	case c == '#' || c == '/':
		return "JSON has no comments: ckpt repair takes them out"
	case (c == '}' || c == ']') && strings.HasSuffix(before, ","):
		return "there is a comma before the closing bracket: ckpt repair takes it out"
	case c == '\'' || strings.HasPrefix(string(blob[offset:]), "\u201c"):
		return "strings stand in plain double quotes: correct a copy and verify that"
	}
	return hintRepair + hintReplace
}

func (v *Verdict) addUnknown() {
	if v.Damage == nil {
		v.add(codeNotCheckpoint, SeverityError, "", "the JSON has none of the fields of a kubelet checkpoint file",
			"say which kind it is meant to be with --kind")
	}
}

func (v *Verdict) addWrongKind(found Kind) {
	v.add(codeWrongKind, SeverityError, "", fmt.Sprintf("this is a good %s file under the name of a %s file", found, v.Kind),
		"a kubelet does not find it here; move it to the name it belongs to")
}

func isWrongKind(f Finding) bool { return f.Code == codeWrongKind }

// wrongKind reports whether the file is a good one of another kind.
func (v *Verdict) wrongKind() bool { return slices.ContainsFunc(v.Findings, isWrongKind) }

// addSums says what is wrong with the stored sums.
func (v *Verdict) addSums(s *session, id identity) {
	if id.format == nil || v.Damage != nil {
		return
	}
	if id.badContent != nil {
		v.add(codeInner, SeverityError, id.format.inner.field,
			"the document within the string does not decode: "+words(id.badContent, id.format.names), hintRepair+hintReplace)
	}
	if d := s.decode(id.format); d.err != nil {
		v.add(codeInner, SeverityError, "", "the file does not decode: "+words(d.err, id.format.names), hintRepair+hintReplace)
	}
	c := v.Checksums[0]
	switch {
	case v.State == StateUnsigned:
		v.add(codeMissing, SeverityWarning, c.Field, "no checksum protects this file: some kubelets accept it unseen",
			"nobody can say whether it is as it was written; compare it with the pods that run")
	case v.State == StateOther || c.OK:
	case c.Stored == 0:
		v.add(codeMissing, SeverityError, c.Field, fmt.Sprintf("the checksum is 0 or absent; the content gives %d", c.Computed), hintReplace)
	case v.addOwnBug(s, id):
	default:
		v.add(codeMismatch, SeverityError, c.Field,
			fmt.Sprintf("the stored checksum is %d, but the content gives %d", c.Stored, c.Computed),
			"the file was changed after the kubelet wrote it; "+hintRepair+hintReplace)
	}
	v.addHalves(s, id)
}

// addOwnBug recognises a file that is just as a kubelet wrote it, though no
// kubelet can read it back.
func (v *Verdict) addOwnBug(s *session, id identity) (found bool) {
	f := id.format
	if f.inMemory == nil || s.decode(f).err != nil {
		return false
	}
	sm := &f.sums[0]
	stored := sm.stored(s.decode(f).doc)
	f.inMemory(s.decode(f).doc, func(doc any, why string) bool {
		sum, err := sm.compute(&sm.spellings[0], doc)
		if found = err == nil && sum == stored; found {
			v.add(codeOwnBug, SeverityError, sm.field,
				"the file is just as the kubelet wrote it, and yet no kubelet reads it: "+why,
				"a fault of kubelet "+strings.Join(v.Written, ", ")+", not damage: nothing in the file is wrong; ckpt repair --reseal gives it a checksum that kubelets accept")
		}
		return !found
	})
	return found
}

// addHalves compares the legacy half of a file with the half that decides.
func (v *Verdict) addHalves(s *session, id identity) {
	if len(v.Checksums) < 2 || s.decode(id.format).err != nil {
		return
	}
	const hint = "the newest kubelet does not look at this half, but a rollback to an older release reads only it; ckpt repair writes it anew from the other half"
	if legacy := v.Checksums[1]; !legacy.OK && legacy.Stored != 0 {
		v.add(codeLegacyMismatch, SeverityWarning, legacy.Field,
			fmt.Sprintf("the checksum of the legacy half is %d, but that half gives %d", legacy.Stored, legacy.Computed), hint)
	} else if legacy.Stored == 0 {
		v.add(codeLegacyMismatch, SeverityWarning, legacy.Field, "the legacy half has no checksum", hint)
	}
	for _, path := range halvesDiffer(s.decode(id.format).doc) {
		v.add(codeHalves, SeverityWarning, path, "the legacy half and the data half say different things", hint)
	}
}

// halvesDiffer names the top-level fields in which the halves of a document differ.
func halvesDiffer(doc any) (paths []string) {
	differs := func(path string, a, b any) {
		if len(lostPaths(a, b)) > 0 || len(lostPaths(b, a)) > 0 {
			paths = append(paths, path)
		}
	}
	switch d := doc.(type) {
	case *cpuV4:
		differs("policyName", d.PolicyName, d.inner.PolicyName)
		differs("defaultCpuSet", d.DefaultCPUSet, d.inner.DefaultCPUSet)
		differs("entries", d.Entries, d.inner.Entries)
	case *memoryV3:
		differs("policyName", d.PolicyName, d.inner.PolicyName)
		differs("machineState", d.MachineState, d.inner.MachineState)
		differs("entries", d.Entries, d.inner.Entries)
	}
	return paths
}

// addOddities reports what encoding/json passes over.
func (v *Verdict) addOddities(s *session, id identity) {
	if id.format == nil || v.Damage != nil || s.canonical(id.format) != nil {
		return
	}
	w := walk(s.blob, id.format.docType(), "")
	v.Findings = append(v.Findings, w.found...)
	total := w.total
	if in := id.format.inner; in != nil {
		text := in.text(s.decode(id.format).doc)
		if syntaxDamage([]byte(text)) == nil {
			w := walk([]byte(text), in.typ, in.field)
			v.Findings = append(v.Findings, w.found...)
			total += w.total
		}
	}
	if more := total - maxOddities; more > 0 {
		v.add(codeMore, SeverityInfo, "", fmt.Sprintf("%d more oddities of the JSON are not listed", more), "")
	}
}

// addAnswers says what the kubelets' answers mean for the operator.
func (v *Verdict) addAnswers(id identity, o *Options) {
	switch {
	case v.Damage != nil || v.State == StateCorrupt:
	case v.State == StateOther && id.format != nil && len(id.format.writes) == 0:
		v.add(codePreRelease, SeverityError, "", "the file is whole, but no released kubelet reads its format: "+id.format.title,
			"it was written by a development build between two releases; "+hintReplace)
	case v.State == StateOther && id.format != nil && id.good:
		v.add(codeNoReader, SeverityError, "",
			fmt.Sprintf("the file is whole, but none of the kubelets asked for reads %s (written by %s)", id.format.id, strings.Join(v.Written, ", ")),
			"this is version skew, not corruption: go back to a release that reads it, or let ckpt migrate write it for the one you have")
	default:
		v.addRefusals(o)
	}
	v.addForgets(o)
	if id.table.kind == Device && v.anyRefused() {
		v.add(codeStartsEmpty, SeverityWarning, "", "a kubelet that refuses this file logs the error and starts without it",
			"running containers keep their devices, but the kubelet does not know and may hand them out again: drain the node first")
	}
}

// addForgets reports what the first kubelet that was asked for by name forgets.
func (v *Verdict) addForgets(o *Options) {
	for _, a := range v.Kubelets {
		if len(o.Releases) == 0 || a.Verdict != Lossy || len(a.Gates) > 0 && o.Gates == nil {
			continue
		}
		some, more := a.Lost[:min(len(a.Lost), 3)], ""
		if n := len(a.Lost) - len(some); n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		v.add(codeForgets, SeverityWarning, a.Lost[0],
			fmt.Sprintf("kubelet %s reads the file, but forgets %s%s", a.Release, strings.Join(some, ", "), more),
			"its next write to the file drops this for good: keep a copy before you start it")
		return
	}
}

// anyRefused leaves out 1.13, unless nothing else was asked for.
func (v *Verdict) anyRefused() bool {
	for _, a := range v.Kubelets {
		if a.Verdict == Refused && (a.Release != "1.13" || len(v.Kubelets) == 1) {
			return true
		}
	}
	return false
}

// addRefusals reports a refusal of a good file: by all the kubelets asked for,
// or by one that was asked for by name.
func (v *Verdict) addRefusals(o *Options) {
	refused, crash := 0, false
	var first *Answer
	for i := range v.Kubelets {
		if a := &v.Kubelets[i]; a.Verdict == Refused {
			refused++
			crash = crash || a.Panics
			if first == nil || a.Release != "1.13" && first.Release == "1.13" {
				first = a
			}
		}
	}
	if refused == 0 {
		return
	}
	if st, ok := v.Content.(*CPUState); ok && len(st.Containers) > 0 && len(o.Containers) == 0 {
		v.add(codeContainers, SeverityInfo, "entries",
			"the entries are keyed by container ID: kubelets 1.18 to 1.36 accept the file only while those containers run",
			"give the running containers with --containers to have that judged")
	}
	if refused < len(v.Kubelets) && len(o.Releases) == 0 {
		return
	}
	code, hint := codeRefused, "the file is as it was written; see which release reads it, or change what the message names"
	if len(v.Checksums) > 0 && !v.Checksums[0].OK {
		hint = "its checksum does not match either: see ckpt explain"
	}
	if crash {
		code, hint = codeCrash, hintReplace
	}
	v.add(code, SeverityError, "", fmt.Sprintf("kubelet %s refuses the file: %s", first.Release, first.Error), hint)
}
