package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/oracle"
)

// disagreement is one answer of ours that is not the kubelet's.
type disagreement struct {
	label  string // of the kubelet
	what   string // verdict, error, panic, state, lossy, answers
	ours   string
	theirs string
}

// class is the same for disagreements that likely have one cause, whichever
// kubelet they are with.
func (d disagreement) class(kind string) string {
	return kind + " " + d.what + ": " + shapeOf(d.ours) + " / " + shapeOf(d.theirs)
}

func (f *file) options() kubelet.Options {
	o := kubelet.Options{Kind: kubelet.Kind(f.Kind), FileName: f.FileName, Policy: f.Policy, Containers: map[string]kubelet.ContainerRef{}}
	for id, ref := range f.Containers {
		o.Containers[id] = kubelet.ContainerRef{PodUID: ref[0], Name: ref[1]}
	}
	return o
}

// compare holds our verdict against the kubelets' answers, by label.
func compare(f *file, v *kubelet.Verdict, asked oracle.Answers) []disagreement {
	var found []disagreement
	full := reference(f, v, asked)
	seen := 0
	for _, a := range v.Kubelets {
		their, ok := asked[label(a)]
		if !ok {
			continue
		}
		seen++
		if oldProtobuf(f, a) {
			continue
		}
		add := func(what, ours, theirs string) {
			found = append(found, disagreement{label(a), what, ours, theirs})
		}
		if accepted := a.Verdict != kubelet.Refused; accepted != their.Accepted {
			add("verdict", string(a.Verdict)+" "+a.Error, outcome(their))
			continue
		}
		if a.Panics != their.Panic {
			add("panic", fmt.Sprint(a.Panics), fmt.Sprint(their.Panic))
		}
		if a.Error != their.Error && !(a.Random && sameButNames(a.Error, their.Error)) {
			add("error", a.Error, their.Error)
		}
		if !their.Accepted {
			continue
		}
		mine, err := ours(a)
		if err != nil {
			add("state", err.Error(), string(their.State))
			continue
		}
		state, err := theirs(f.Kind, a.Release, their.State)
		if err != nil {
			add("state", text(mine), err.Error())
			continue
		}
		if text(mine) != text(state) {
			add("state", text(mine), text(state))
			continue
		}
		if full != nil {
			if lossy := !subset(full, leaves(state)); lossy != (a.Verdict == kubelet.Lossy) {
				add("lossy", fmt.Sprintf("%s %q", a.Verdict, a.Lost), fmt.Sprint(lossy))
			}
		}
	}
	if seen != len(asked) {
		found = append(found, disagreement{"all", "answers", fmt.Sprint(seen), fmt.Sprint(len(asked))})
	}
	return found
}

// oldProtobuf: the protobuf code of 1.13 takes some broken messages that later
// releases refuse, and crashes over others. We say that it drops the entry, as
// all others do, and leave it at that.
func oldProtobuf(f *file, a kubelet.Answer) bool {
	return f.Kind == "device" && a.Release == "1.13" && a.Verdict == kubelet.Lossy
}

func outcome(a oracle.Answer) string {
	if a.Accepted {
		return "accepted"
	}
	return "refused " + a.Error
}

// reference is what the newest kubelet with all gates on restored, if it read
// the file as what we say it is: then a kubelet that holds less loses
// something. It is nil where the file's content cannot be had in this way.
func reference(f *file, v *kubelet.Verdict, asked oracle.Answers) map[string]bool {
	newest := map[string]string{"cpu": "1.37[PX]", "memory": "1.37[P]", "dra": "1.37", "allocated": "1.37"}[f.Kind]
	their, ok := asked[newest]
	if !ok || !their.Accepted {
		return nil
	}
	for _, a := range v.Kubelets {
		if label(a) == newest && a.Read != v.Format {
			return nil
		}
	}
	state, err := theirs(f.Kind, "1.37", their.State)
	if err != nil {
		return nil
	}
	top := state.(map[string]any)
	if text(top["baselines"]) == text(top["entries"]) {
		if bytes.Contains(bytes.ToLower(f.Blob), []byte("baseline")) {
			return nil // of the file, or made up: one cannot see
		}
		delete(top, "baselines")
	}
	return leaves(top)
}

func subset(part, whole map[string]bool) bool {
	for e := range part {
		if !whole[e] {
			return false
		}
	}
	return true
}

var (
	quoted = regexp.MustCompile(`"(\\.|[^"\\])*"|'[^']*'`)
	digits = regexp.MustCompile(`[0-9]+`)
	goType = regexp.MustCompile(`cannot unmarshal (number|string|bool|object|array)( [-+.0-9eE]+)?`)
)

// shapeOf takes out of a text what differs from file to file.
func shapeOf(s string) string {
	if strings.HasPrefix(s, "{") {
		return "a state"
	}
	s = goType.ReplaceAllString(s, "cannot unmarshal _")
	s = digits.ReplaceAllString(quoted.ReplaceAllString(s, "_"), "0")
	return s[:min(len(s), 300)]
}

// sameButNames compares errors of which the kubelet picks one by map order:
// the offender and what is wrong with it may differ, the sentence may not.
func sameButNames(a, b string) bool {
	for _, sentence := range []string{
		"could not parse cpuset ", "could not parse Baseline cpuset ", "containerID '",
	} {
		before, _, inA := strings.Cut(a, sentence)
		other, _, inB := strings.Cut(b, sentence)
		if inA && inB && before == other {
			return true
		}
	}
	return false
}

// signature is the same for files that all kubelets treat alike. A file with a
// new one is worth changing further.
func signature(f *file, asked oracle.Answers, order []string) string {
	var b strings.Builder
	b.WriteString(f.Kind)
	for _, l := range order {
		a, ok := asked[l]
		if !ok {
			continue
		}
		fmt.Fprintf(&b, "|%v %s %d", a.Accepted, shapeOf(a.Error), magnitude(a.State))
	}
	return b.String()
}

func magnitude(state json.RawMessage) int {
	n := 0
	for size := len(state); size > 0; size /= 4 {
		n++
	}
	return n
}
