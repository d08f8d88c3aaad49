// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestRemediesNameCommandsThatExist checks that the commands and flags in the remedies
// exist.
func TestRemediesNameCommandsThatExist(t *testing.T) {
	t.Parallel()
	code := regexp.MustCompile("`([^`]+)`")
	for entry, remedy := range remedies {
		for _, found := range code.FindAllStringSubmatch(remedy, -1) {
			words := strings.Fields(found[1])
			if words[0] != "openpai" {
				continue
			}
			command, _, err := newRootCmd(&Streams{}, release).Find(words[1:])
			if err != nil || !strings.HasPrefix(found[1], command.CommandPath()) || !command.Runnable() {
				t.Errorf("%s: no command %q", entry, found[1])
			}
			flags := slices.DeleteFunc(words[1:], func(w string) bool { return !strings.HasPrefix(w, "--") })
			for _, flag := range flags {
				if flag != "--help" && command.Flag(flag[2:]) == nil {
					t.Errorf("%s: no flag %s of %s", entry, flag, command.CommandPath())
				}
			}
		}
	}
}
