package kubelet

import (
	"fmt"
	"strings"
)

// BrokenError is a file that is not as it was written. It is not migrated: a
// good checksum over broken content would hide that.
type BrokenError struct {
	State   State
	Finding Finding // the first that says so
}

func (e *BrokenError) Error() string {
	if e.State == StateOther {
		return e.Finding.Message
	}
	return fmt.Sprintf("the file is %s: %s", e.State, e.Finding.Message)
}

// LayoutError is a file of which nobody knows what it says: it has fields that
// no known release writes, or is no kubelet checkpoint at all.
type LayoutError struct {
	Kind   Kind
	Fields []string // paths that are not known, if that is why
	Detail string
}

func (e *LayoutError) Error() string {
	text := "the layout is not that of any known release, and the file may be of a newer version"
	if len(e.Fields) > 0 {
		text += ": unknown " + strings.Join(e.Fields[:min(len(e.Fields), 3)], ", ")
	}
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

// TargetError is a target that cannot be written to.
type TargetError struct {
	Kind   Kind
	Target Target
	Reason string
}

func (e *TargetError) Error() string {
	return fmt.Sprintf("%s cannot be the target of a %s file: %s", e.Target, e.Kind, e.Reason)
}

// ContainersError is a container of which the id, or the pod, is not known:
// cpu/v1 names containers by id, later formats by pod and name.
type ContainersError struct {
	ID  string       // the id that is not known; empty: that of Ref is not
	Ref ContainerRef // the container whose id is not known
	N   int          // containers that are known by that name: 0, or several
}

func (e *ContainersError) Error() string {
	switch {
	case e.ID != "":
		return fmt.Sprintf("container %q is not among the given running containers", e.ID)
	case e.N > 1:
		return fmt.Sprintf("%d of the given containers are called %q in pod %q, want one", e.N, e.Ref.Name, e.Ref.PodUID)
	}
	return fmt.Sprintf("container %q of pod %q is not among the given running containers", e.Ref.Name, e.Ref.PodUID)
}

// RefusedError is a file that its target would refuse, such as one of another
// policy than the kubelet is configured with.
type RefusedError struct {
	Answer Answer
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("kubelet %s would refuse the new file: %s", e.Answer.Release, e.Answer.Error)
}

// refused is the error for a state that r does not take.
func (k *kindTable) refused(r reader, env *environment, no *refusal) error {
	a := Answer{Release: r.release.Name, Gates: r.gates, Lost: []string{}, Measured: r.release.Patch != ""}
	a.refuse(k, r, env.file, no)
	return &RefusedError{a}
}

// sound returns why a file cannot be migrated, or nil. What a kubelet wrote but
// cannot read back is sound: nothing in it is wrong but the sum.
func sound(v *Verdict) error {
	var unknown []string
	var first *Finding
	for i := range v.Findings {
		switch f := &v.Findings[i]; {
		case f.Code == codeOwnBug:
			return nil
		case f.Code == codeUnknownField:
			unknown = append(unknown, f.Path)
		case f.Code == codeWrongKind:
			return &BrokenError{v.State, *f}
		case first == nil && f.Severity == SeverityError:
			first = f
		}
	}
	switch {
	case v.Damage != nil && v.Damage.Reason == DamageType:
		return &LayoutError{v.Kind, nil, v.Damage.Error}
	case v.Damage != nil || v.Format != "" && v.Content == nil:
	case v.Kind == Unknown || v.Format == "":
		return &LayoutError{v.Kind, unknown, ""}
	case v.State == StateOK || v.State == StateUnsigned || len(v.Checksums) > 0 && v.Checksums[0].OK:
		return nil
	case len(unknown) > 0:
		return &LayoutError{v.Kind, unknown, ""}
	}
	if first == nil {
		first = &Finding{Code: codeMismatch, Severity: SeverityError, Message: "it does not decode as it was written"}
	}
	return &BrokenError{v.State, *first}
}
