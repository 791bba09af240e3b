package command

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// running returns the socket of a kubelet that runs on a directory in which the
// plan would change a file, or "". Such a kubelet would write over the result.
func (p *plan) running() string {
	var listening map[string]bool
	for _, s := range p.steps {
		f, known := knownAs(s.File)
		if !known || !p.writes(s) {
			continue
		}
		if listening == nil {
			listening = listeners()
		}
		root := strings.TrimSuffix(s.File, f.Name)
		for _, name := range []string{"pod-resources/kubelet.sock", "device-plugins/kubelet.sock"} {
			if path := root + name; listening[realPath(path)] {
				return path
			}
		}
	}
	return ""
}

// listeners are the sockets of that name at which something listens, by path, as
// far as Linux tells: not those of another network namespace. A socket whose process was
// killed is in the directory still, but not among them.
func listeners() map[string]bool {
	const accepts = 1 << 16 // __SO_ACCEPTCON of linux/net.h
	found := map[string]bool{}
	b, err := os.ReadFile("/proc/net/unix")
	if err != nil {
		return found
	}
	for line := range strings.Lines(string(b)) {
		// Num RefCount Protocol Flags Type St Inode Path, which may have blanks
		fields, path := strings.Fields(line), ""
		if i := strings.IndexByte(line, '/'); i >= 0 {
			path = strings.TrimSuffix(line[i:], "\n")
		}
		if len(fields) >= 8 && strings.HasSuffix(path, "/kubelet.sock") {
			if flags, err := strconv.ParseUint(fields[3], 16, 64); err == nil && flags&accepts != 0 {
				found[realPath(path)] = true
			}
		}
	}
	return found
}

// realPath is path without links, if that can be found out.
func realPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	return abs
}
