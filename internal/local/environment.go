package local

import (
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// inherited names the variables that supervisors and tasks take from the
// caller. Nothing else is passed on: no credential of the caller gets into a
// job.
var inherited = []string{"PATH", "HOME", "LANG", "TZ", "TMPDIR", contract.EnvFetchCache, contract.EnvFetchCacheMB}

// allowedEnvironment returns those entries of environ that may be passed on.
func allowedEnvironment(environ []string) []string {
	var allowed []string
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if mayInherit(name) {
			allowed = append(allowed, entry)
		}
	}
	return allowed
}

func mayInherit(name string) bool {
	if strings.HasPrefix(name, "LC_") {
		return true
	}
	for _, n := range inherited {
		if n == name {
			return true
		}
	}
	return false
}
