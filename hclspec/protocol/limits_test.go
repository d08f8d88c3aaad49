// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// A file that would exhaust the memory or the stack causes a diagnostic. Without the
// limits, decoding these files would take minutes or gigabytes of memory.
func TestHostileFilesEndWithADiagnostic(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		src  string
		want string
	}{
		"aliases that double a hundred times": {aliasBomb(100), "yaml-too-large"},
		"a megabyte of aliases":               {"a: &a [" + strings.Repeat("x,", 1000) + "]\nb: [" + strings.Repeat("*a,", 300_000) + "]\n", "yaml-too-large"},
		"a long string in many places":        {"a: &a " + strings.Repeat("x", 1<<19) + "\nb: [" + strings.Repeat("*a,", 100_000) + "]\n", "yaml-too-large"},
		"an alias inside its own value":       {"a: &a [*a]\n", "yaml-unsupported"},
		"merges of a value into itself":       {"a: &a\n  <<: *a\n", "yaml-unsupported"},
		"five megabytes of open brackets":     {strings.Repeat("[", 5<<20), "yaml-too-large"},
		"nine thousand nested lists":          {strings.Repeat("[", 9000) + strings.Repeat("]", 9000), "yaml-too-large"},
		"nine thousand nested mappings":       {strings.Repeat("{a: ", 9000) + strings.Repeat("}", 9000), "yaml-too-large"},
		"nested dashes":                       {strings.Repeat("- ", 9000), "yaml-too-large"},
		"two million list elements":           {"[" + strings.Repeat("a,", 2_000_000) + "]", "yaml-too-large"},
		"a million lines":                     {strings.Repeat("- a\n", 1_000_000), "yaml-too-large"},
		"more than five megabytes":            {"a: " + strings.Repeat("x", 6<<20), "yaml-too-large"},
		"a number of a million digits":        {job("jobRetryCount: " + strings.Repeat("9", 1<<20)), "yaml-wrong-type"},
		"text that is not UTF-8":              {"name: \xff\xfe", "yaml-invalid"},
		"two thousand items":                  {strings.Repeat("---\nname: a\ntype: script\n", 2000), "yaml-too-large"},
		"a thousand empty documents":          {strings.Repeat("---\n", 1000), "yaml-not-a-job"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := Parse("job.yaml", []byte(test.src))
			if !diags.HasErrors() {
				t.Fatal("the file was accepted")
			}
			if got := hclspec.Code(diags[0]); got != test.want {
				t.Errorf("first diagnostic is %s (%.200s), want %s", got, diags[0].Detail, test.want)
			}
		})
	}
}

// A file with one long string is accepted up to the maximum size.
func TestLargeTextIsRead(t *testing.T) {
	t.Parallel()
	src := job("description: |\n" + strings.Repeat("  "+strings.Repeat("x", 60)+"\n", 70_000))
	file, diags := Parse("job.yaml", []byte(src))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if got := len(file.Job.Description); got < 4_000_000 {
		t.Errorf("description has %d bytes", got)
	}
}

func aliasBomb(levels int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x]\n")
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d]\n", i, i, i-1, i-1)
	}
	return b.String()
}

// job returns a valid job with additional top-level keys.
func job(keys string) string {
	return `protocolVersion: 2
name: j
type: job
prerequisites:
  - {type: dockerimage, name: image, uri: busybox}
taskRoles:
  w:
    dockerImage: image
    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}
    commands: [echo]
` + keys + "\n"
}
