// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"regexp"
	"testing"
)

// TestHelpShowsOptionalValuesInBrackets checks that the help shows --rerun as
// --rerun[=ADDRESS] and aligns its description with that of --job.
func TestHelpShowsOptionalValuesInBrackets(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"run", "plan", "apply"} {
		root := newRootCmd(&Streams{}, release)
		var b bytes.Buffer
		root.SetOut(&b)
		root.SetArgs([]string{command, "--help"})
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
		column := func(start string) int {
			found := regexp.MustCompile(`(?m)^ +` + start + ` +`).Find(b.Bytes())
			return len(found)
		}
		if rerun, job := column(`--rerun\[=ADDRESS\]`), column("--job ADDRESS"); rerun == 0 || rerun != job || bytes.Contains(b.Bytes(), []byte("[=*]")) {
			t.Errorf("the help of %s has --rerun in column %d and --job in column %d:\n%s", command, rerun, job, b.String())
		}
	}
}
