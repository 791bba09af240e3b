package input

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"syscall"
	"testing"
)

// Files of /proc say that they have no bytes.
func TestProcFile(t *testing.T) {
	both(t, "/proc/version", func(c Contents, err error) {
		if err != nil {
			t.Error(err)
			return
		}
		if c.Size != 0 || !bytes.HasPrefix(c.Bytes, []byte("Linux")) {
			t.Errorf("read %q of a file of size %d", c.Bytes, c.Size)
		}
	})
}

// /proc/kmsg is a regular file whose reader waits for the next kernel message.
func TestRegularFileThatWaits(t *testing.T) {
	f, err := os.OpenFile("/proc/kmsg", os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Skip(err)
	}
	f.Close()
	both(t, "/proc/kmsg", func(_ Contents, err error) {
		if !errors.Is(err, syscall.EAGAIN) {
			t.Errorf("error is %v, want EAGAIN", err)
		}
	})
}

// asNobody runs f on a thread of its own that has lost root's rights to files.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if os.Getuid() != 0 {
		f()
		return
	}
	done := make(chan error, 1)
	go func() {
		defer close(done)      // also when f ends the goroutine
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		err := syscall.Setfsgid(65534)
		if err == nil {
			err = syscall.Setfsuid(65534)
		}
		if err == nil {
			f()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Skip(err)
	}
}

// open makes a directory that others can reach, unlike t.TempDir.
func openTemp(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "open")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		os.Chmod(dir, 0o700)
		os.RemoveAll(dir)
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(path, 0o700) })
}

func TestNoPermission(t *testing.T) {
	dir := openTemp(t)
	putIn(t, dir, "state", "secret", "closed/state", "secret")
	chmod(t, dir+"/state", 0)
	chmod(t, dir+"/closed", 0)
	asNobody(t, func() {
		for _, root := range []string{"", "/", dir} {
			base := dir
			if root == dir {
				base = ""
			}
			for _, path := range []string{base + "/state", base + "/closed/state"} {
				_, err := (&Reader{Root: root}).ReadFile(path, nil)
				wantError(t, err, path, Permission, "cannot be read: permission denied")
				if !errors.Is(err, syscall.EACCES) {
					t.Errorf("error %v does not wrap EACCES", err)
				}
			}
		}
	})
}

// A directory that may be searched but not listed still gives its known files,
// also under a root.
func TestSearchableDirectory(t *testing.T) {
	dir := openTemp(t)
	putIn(t, dir, "host/kubelet/cpu_manager_state", "cpu", "host/kubelet/other", "x")
	chmod(t, dir+"/host/kubelet", 0o711)
	chmod(t, dir+"/host", 0o711)
	asNobody(t, func() {
		r := &Reader{Root: dir + "/host", Known: []string{"cpu_manager_state", "memory_manager_state"}}
		expect(t, r, []string{"/kubelet"}, "/kubelet/cpu_manager_state = cpu")
		r.Known = nil
		expect(t, r, []string{"/kubelet"}, "/kubelet: permission")
	})
}

func TestDirectoryWithoutSearchPermission(t *testing.T) {
	dir := openTemp(t)
	putIn(t, dir, "kubelet/cpu_manager_state", "cpu", "kubelet/device-plugins/kubelet_internal_checkpoint", "dev")
	r := &Reader{Known: []string{"cpu_manager_state", "device-plugins/kubelet_internal_checkpoint"}}
	chmod(t, dir+"/kubelet/device-plugins", 0)
	asNobody(t, func() {
		expect(t, r, []string{dir + "/kubelet"},
			dir+"/kubelet/cpu_manager_state = cpu",
			dir+"/kubelet/device-plugins/kubelet_internal_checkpoint: permission")
	})
	chmod(t, dir+"/kubelet", 0o644)
	asNobody(t, func() {
		expect(t, r, []string{dir + "/kubelet"}, dir+"/kubelet: permission")
	})
}

// A pipe that took the place of a file after its directory was listed does not
// make the read wait.
func TestPipeAfterList(t *testing.T) {
	dir := put(t, "a", "1")
	for item := range (&Reader{}).Expand([]string{dir}) {
		if err := os.Remove(item.Name); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(item.Name, 0o600); err != nil {
			t.Fatal(err)
		}
		within(t, func() {
			_, err := item.Load(nil)
			wantError(t, err, item.Name, FIFO, "is a named pipe, not a regular file")
		})
	}
}

// No descriptor is left open, whether the sequence is gone through or not.
func TestNoDescriptorLeaks(t *testing.T) {
	dir := put(t, "a", "1", "b", "2", "link", "->a", "dir/", "")
	open := func() int {
		names, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(names)
	}
	before := open()
	for range 20 {
		for _, r := range []*Reader{{}, {Root: "/"}} {
			for item := range r.Expand([]string{dir, dir}) {
				item.Load(nil)
			}
			for item := range r.Expand([]string{dir, dir}) {
				item.Load(nil)
				break
			}
			for range r.Expand([]string{dir, dir}) {
			}
		}
	}
	if after := open(); after > before+5 {
		t.Errorf("%d descriptors were open, and now %d", before, after)
	}
}
