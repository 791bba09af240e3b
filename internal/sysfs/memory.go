package sysfs

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

var memTotalLine = regexp.MustCompile(`MemTotal:\s*([0-9]+) kB`)

// memTotal returns the bytes of the first such line.
func memTotal(meminfo []byte) (uint64, error) {
	m := memTotalLine.FindSubmatch(meminfo)
	if m == nil {
		return 0, errors.New(`no line "MemTotal: N kB"`)
	}
	kib, err := strconv.ParseUint(string(m[1]), 10, 64)
	if err != nil || kib > math.MaxInt64/1024 {
		return 0, fmt.Errorf("MemTotal of %s kB is more than a kubelet can count", clip(string(m[1])))
	}
	return kib * 1024, nil
}

// nodeMemory returns 0 for a node that has no meminfo.
func (r *reader) nodeMemory(dir string) (uint64, error) {
	blob, err := readFile(r.sys, dir+"/meminfo", attributeLimit)
	if err != nil {
		r.note("/sys/%s/meminfo: %v: the node counts as one without memory", dir, reason(err))
		return 0, nil
	}
	total, err := memTotal(blob)
	if err != nil {
		return 0, fmt.Errorf("/sys/%s/meminfo: %w", dir, err)
	}
	return total, nil
}

// hugepages returns the sizes that a node lists, also those with no page set
// aside; nil if the kernel has no hugepages.
func (r *reader) hugepages(dir string) ([]preflight.Hugepages, error) {
	names, err := readNames(r.sys, dir, 64, func(string) bool { return true })
	if err != nil {
		return nil, nil
	}
	var all []preflight.Hugepages
	for _, name := range names {
		_, kib, ok := strings.Cut(name, "-")
		kib, _, _ = strings.Cut(kib, "kB")
		h := preflight.Hugepages{}
		if h.PageSizeKiB, err = strconv.ParseUint(kib, 10, 53); !ok || err != nil {
			return nil, fmt.Errorf("/sys/%s: %q is not hugepages-NkB", dir, clip(name))
		}
		size := r.enter(dir + "/" + name)
		h.NumPages, err = size.scan("nr_hugepages", "")
		size.leave()
		if err != nil {
			return nil, err
		}
		if h.PageSizeKiB == 0 || h.NumPages > math.MaxInt64/1024/h.PageSizeKiB {
			return nil, fmt.Errorf("/sys/%s/%s: %d pages are more than a kubelet can count", dir, clip(name), h.NumPages)
		}
		all = append(all, h)
	}
	return all, nil
}

// distances returns nil for a node that does not tell them.
func (r *reader) distances(dir string) ([]int, error) {
	node := r.enter(dir)
	defer node.leave()
	text, err := node.text("distance")
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			r.note("%v: passed over", err)
		}
		return nil, nil
	}
	var all []int
	for field := range strings.SplitSeq(text, " ") {
		d, err := strconv.ParseUint(field, 10, 31)
		if err != nil {
			return nil, fmt.Errorf("/sys/%s/distance: %q is no number", dir, clip(field))
		}
		all = append(all, int(d))
	}
	return all, nil
}
