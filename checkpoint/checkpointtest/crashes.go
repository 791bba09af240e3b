package checkpointtest

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/kubeckpt/ckpt/internal/crashfs"
)

// block is the unit in which a disk writes. A real one's is larger, but then a
// small file would have one block only.
const block = 128

// Crashes runs prepare, makes its result durable, and runs change. Then it cuts
// the power, at every moment of change, and runs check on each disk that may be
// found, with what change had acknowledged by then. It returns how many disks it
// has seen, and the first error.
func Crashes(prepare func(*Disk) error, change func(*Disk) error, check func(d *Disk, acknowledged []any) error) (disks int, err error) {
	d := NewDisk()
	if err := prepare(d); err != nil {
		return 0, fmt.Errorf("prepare: %w", err)
	}
	d.memory.Checkpoint()
	if err := change(d); err != nil {
		return 0, fmt.Errorf("change: %w", err)
	}
	report := crashfs.Explore(d.memory, crashfs.AnySubset, crashfs.Outcomes{Block: block}, func(img crashfs.Image) error {
		return check(newDisk(img.FS), img.Acked)
	})
	if report.First != nil {
		report.First.Files = readable(report.First.Files)
		err = fmt.Errorf("%d of %d disks are bad; the first: %v", report.Violations, report.Images, report.First)
	}
	return report.Images, err
}

// readable takes the quotes out of files that are text, such as JSON.
func readable(files string) string {
	lines := strings.Split(files, "\n")
	for i, line := range lines {
		text, err := strconv.Unquote(`"` + line + `"`)
		if err == nil && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
			lines[i] = text
		}
	}
	return strings.Join(lines, "\n")
}
