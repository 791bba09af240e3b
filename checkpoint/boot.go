package checkpoint

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// bootIDFile is where Linux says which boot this is. The id is random, and the
// same in every container.
const bootIDFile = "/proc/sys/kernel/random/boot_id"

// staleBoot reports whether a state of this boot id is of another boot than ours.
func (c *core) staleBoot(id string) bool { return c.bootScope && id != c.boot }

// BootID returns an id of the current boot, for WithBootScope. Where there is
// none, errors.Is matches errors.ErrUnsupported.
func BootID() (string, error) {
	blob, err := os.ReadFile(bootIDFile)
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("no boot id at %q: %w", bootIDFile, errors.ErrUnsupported)
	}
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(blob)), nil
}
