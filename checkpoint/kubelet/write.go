package kubelet

import "fmt"

// Encode returns the file that a kubelet of a release, with the given gates on,
// writes for the content of a CPU or memory manager's file, and reads again. It
// fails for a release that writes none, and for content that the format of the
// file has no place for.
func Encode(content any, release string, gates map[string]bool) ([]byte, error) {
	var k *kindTable
	none := false
	switch st := content.(type) {
	case *CPUState:
		k, none = tableOf(CPU), st == nil
	case *MemoryState:
		k, none = tableOf(Memory), st == nil
	default:
		return nil, fmt.Errorf("%T is not the content of a CPU or memory manager's file", content)
	}
	if none {
		return nil, fmt.Errorf("the %T is nil", content)
	}
	f := k.writtenBy(reader{Release{Name: release}, gates})
	if f == nil {
		return nil, fmt.Errorf("kubelet %q writes no file of kind %q that is known", release, k.kind)
	}
	blob, err := f.written(content, release)
	if err != nil {
		return nil, err
	}
	v := Judge(blob, Options{Kind: k.kind, Releases: []string{release}, Gates: settings(gates)})
	if len(v.Kubelets) != 1 || v.Kubelets[0].Verdict == Refused {
		return nil, fmt.Errorf("kubelet %s would not read what it is made to write", release)
	}
	if lost := Changes(content, v.Kubelets[0].State()); len(lost) > 0 {
		return nil, fmt.Errorf("the file of kubelet %s has no place for %s", release, lost[0].Path)
	}
	return blob, nil
}

// settings are gates of which none is left open.
func settings(gates map[string]bool) map[string]bool {
	if gates == nil {
		return map[string]bool{}
	}
	return gates
}
