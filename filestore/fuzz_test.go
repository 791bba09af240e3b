package filestore_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/filestore"
)

// keyRule is how pkg/kubelet/util/store in Kubernetes states the rule.
var keyRule = regexp.MustCompile(`^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`)

// FuzzValidateKey compares with that rule; there is to be no difference.
func FuzzValidateKey(f *testing.F) {
	for _, key := range []string{"", "a", "a-", ".a", "a/b", "cpu_manager_state", "a\n", "ä", strings.Repeat("k", 251)} {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key string) {
		want := len(key) <= 250 && keyRule.MatchString(key)
		if err := filestore.ValidateKey(key); (err == nil) != want {
			t.Errorf("ValidateKey(%q) = %v, want valid %v", key, err, want)
		}
	})
}
