package preflight

import (
	"fmt"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// restored is what each release makes of a file.
type restored struct {
	missing bool
	answers map[string]kubelet.Answer
	why     string // there are no answers
}

// restore asks what the kubelets make of a file. All releases whose gates are
// set alike are answered for at once, as most of the work is the same.
func (s *start) restore(name, policy string) restored {
	gates := map[string]bool{}
	key := name
	for _, gate := range []string{gatePodManagers, gateCPUResize} {
		like := start{shared: s.shared, release: s.release}
		if _, has := gateOf(s.release, gate); !has {
			like.release = newestRelease()
		}
		gates[gate] = like.on(gate)
		key += " " + yes(gates[gate])
	}
	if r, known := s.restored[key]; known {
		return r
	}
	r := restored{answers: map[string]kubelet.Answer{}}
	blob, found := s.q.Files[name]
	if r.missing = !found; found {
		v := kubelet.Judge(blob, kubelet.Options{Kind: kubelet.KindOfName(name), FileName: name, Gates: gates, Policy: policy, Containers: s.q.Containers})
		for _, a := range v.Kubelets {
			r.answers[a.Release] = a
		}
		if v.Damage != nil && len(v.Kubelets) == 0 {
			r.why = fmt.Sprintf("%s: %s", name, v.Damage.Error)
		}
	}
	s.restored[key] = r
	return r
}

func newestRelease() string {
	releases := kubelet.Releases()
	return releases[len(releases)-1].Name
}

// restoreFile returns what this kubelet holds after it restored a file: nil,
// and a step, if it refuses. fresh is what it holds without a file.
func (s *start) restoreFile(stage, name, policy string, fresh any) any {
	r := s.restore(name, policy)
	if r.missing {
		return fresh
	}
	a, known := r.answers[s.release]
	switch {
	case !known:
		s.undecided(stage, or(r.why, fmt.Sprintf("what this kubelet makes of the %s is not known", name)))
		return nil
	case a.Verdict == kubelet.Refused:
		var faults []Step
		for _, text := range append([]string{a.Error}, a.Others()...) {
			if a.Panics && !strings.HasPrefix(text, "panic: ") {
				text = "panic: " + text
			}
			faults = append(faults, Step{Error: text, Path: name})
		}
		s.failOneOf(stage, faults, false)
		return nil
	case a.Verdict == kubelet.Lossy:
		s.step(stage, Step{OK: true, Path: name, Warning: lossWarning(a.Lost)})
	}
	return a.State()
}

// lossWarning says what a kubelet forgets of a file.
func lossWarning(lost []string) string {
	const limit = 5
	if n := len(lost); n > limit {
		return fmt.Sprintf("the kubelet forgets %s and %d more", joined(lost[:limit]), n-limit)
	}
	return "the kubelet forgets " + joined(lost)
}

// checkFile is the reading of a file whose content is not looked at any further.
func (s *start) checkFile(stage, name string) {
	s.restoreFile(stage, name, "", nil)
	s.passed(stage)
}

// checkAllocated reads the files of allocated pods that the release has.
func (s *start) checkAllocated() {
	for _, name := range []string{PodStatusManager, AllocatedPods, ActuatedPods} {
		if usesFile(s.release, name) {
			s.checkFile(StageAllocated, name)
		}
	}
}

// checkDevices reads the device manager's file, which stops no kubelet.
func (s *start) checkDevices() {
	r := s.restore(DeviceCheckpoint, "")
	a, known := r.answers[s.release]
	switch {
	case r.missing || known && a.Verdict == kubelet.Accepted:
		s.passed(StageDevices)
	case known && a.Verdict == kubelet.Lossy:
		s.step(StageDevices, Step{OK: true, Path: DeviceCheckpoint, Warning: lossWarning(a.Lost)})
	case known:
		s.step(StageDevices, Step{OK: true, Path: DeviceCheckpoint,
			Warning: "the kubelet starts without knowing which devices are in use: " + a.Error})
	default:
		s.step(StageDevices, Step{OK: true, Path: DeviceCheckpoint, Warning: or(r.why, "what this kubelet makes of the file is not known")})
	}
}

// usesFile reports whether a release reads a file.
func usesFile(release, name string) bool {
	for _, f := range kubelet.Files() {
		if f.Name == name {
			return f.Span.Has(release)
		}
	}
	return false
}
