package sysfs

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// cache is a cache as one of its CPUs sees it.
type cache struct {
	id, level int
	cpus      int // that share it
}

// uncore gives each core the id of the first cache beyond level 2 that it
// shares with some of its node only. Many virtual machines do not tell; the
// cores from the first that does not on keep the id of their socket.
func (r *reader) uncore(cores []preflight.Core) {
	for i := range cores {
		caches, err := r.caches(cores[i].Threads[0])
		if err != nil {
			return
		}
		whole := len(cores) * len(cores[i].Threads)
		for _, c := range caches {
			if c.level > 2 && c.cpus != whole {
				cores[i].Uncore = c.id
				break
			}
		}
	}
}

func (r *reader) caches(cpu int) ([]cache, error) {
	dir := fmt.Sprintf("%s/cpu%d/cache", cpuDir, cpu)
	in := r.enter(dir)
	defer in.leave()
	if in.err != nil {
		return nil, in.err
	}
	names, err := readNames(in.fsys, ".", 64, func(name string) bool { return strings.HasPrefix(name, "index") })
	if err != nil {
		return nil, err
	}
	var all []cache
	for _, name := range names {
		c, err := r.cache(dir + "/" + name)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// cache insists on files whose content does not matter, for without them
// cadvisor knows no cache.
func (r *reader) cache(dir string) (c cache, err error) {
	index := r.enter(dir)
	defer index.leave()
	if !r.s390 {
		if c.id, err = index.scanSigned("id"); err != nil {
			return c, err
		}
	}
	if _, err := index.scan("size", "K"); err != nil {
		return c, err
	}
	if c.level, err = index.scanSigned("level"); err != nil {
		return c, err
	}
	if _, err := index.text("type"); err != nil {
		return c, err
	}
	shared, err := index.text("shared_cpu_map")
	if err != nil {
		return c, err
	}
	for mask := range strings.SplitSeq(shared, ",") {
		m, err := strconv.ParseUint(strings.TrimSpace(mask), 16, 64)
		if err != nil {
			return c, err
		}
		c.cpus += bits.OnesCount64(m)
	}
	return c, nil
}
