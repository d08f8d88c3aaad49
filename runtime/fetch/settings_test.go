// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"strings"
	"testing"
)

func TestTheSettingsAreReadFromTheEnvironment(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		dir, mb string
		bytes   int64
		why     string
	}{
		"nothing is kept":           {},
		"a directory":               {dir: "/cache"},
		"a bound":                   {dir: "/cache", mb: "100", bytes: 100 << 20},
		"a relative directory":      {dir: "cache", why: "must be an absolute path"},
		"a limit of 0":              {dir: "/cache", mb: "0", why: "must be a positive integer (size in MiB)"},
		"a limit with a unit":       {dir: "/cache", mb: "1Gi", why: "must be a positive integer (size in MiB)"},
		"a limit that is too large": {dir: "/cache", mb: "99999999999999", why: "must be a positive integer (size in MiB)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := map[string]string{"PAI_FETCH_CACHE": c.dir, "PAI_FETCH_CACHE_MB": c.mb}
			dir, bytes, err := Settings(func(name string) string { return env[name] })
			if c.why != "" {
				if err == nil || !strings.Contains(err.Error(), c.why) {
					t.Errorf("error %v", err)
				}
				return
			}
			if dir != c.dir || bytes != c.bytes || err != nil {
				t.Errorf("%q, %d, %v", dir, bytes, err)
			}
		})
	}
}
