// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// The range of a diagnostic contains exactly the user's text, regardless of
// the text before it.
func TestPlacesPointAtTheText(t *testing.T) {
	t.Parallel()
	body := "protocolVersion: 2\nname: n\ntype: job\n" +
		"description: \"ü{{ a }}\" # ü {{ b }}\nparameters: {ü{{ c }}: ü, after: no}\n" +
		"taskRoles:\n  w:\n    dockerImage: image\n    commands: [echo]\n    resourcePerInstance: {cpu: \"ü\\\"x\", memoryMB: 'it''s', gpu: !!str 1}\n"
	want := map[string]bool{"no": true, `"ü\"x"`: true, `'it''s'`: true, "!!str 1": true}
	for name, src := range map[string]string{
		"unchanged":                                body,
		"with a byte order mark":                   "\ufeff" + body,
		"with carriage returns":                    strings.ReplaceAll(body, "\n", "\r\n"),
		"after wide characters":                    "version: \"日本語\u2028x\" # 日本\n" + body,
		"after line breaks of YAML 1.1":            "version: \"a\u0085b\u2029c\" # \u0085 x\n" + body,
		"after escapes of YAML 1.2":                `version: "\ud83d\ude00 \/ \\/"` + " # \\/\n" + body,
		"with escapes on the line of a diagnostic": strings.Replace(body, "parameters: {", `parameters: {"\ud83d\ude00\/": "\/", `, 1),
		"with a directive of YAML 1.2":             "# YAML\n%YAML 1.2\n---\n" + body,
		"with the replacement runes":               "# \ue0f0\n" + strings.ReplaceAll(body, "{{ c }}", ""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := Parse("job.yaml", []byte(src))
			found := map[string]bool{}
			for _, d := range diags {
				found[src[d.Subject.Start.Byte:d.Subject.End.Byte]] = true
			}
			for text := range want {
				if !found[text] {
					t.Errorf("no diagnostic at %s: %v", text, found)
				}
			}
		})
	}
}

func TestSourceMapLeadsToKeysAndValues(t *testing.T) {
	t.Parallel()
	src := job("parameters: {a: {b: [1, two]}}\nextras: {gangAllocation: false, own: {c: d}}")
	file, diags := Parse("job.yaml", []byte(src))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for path, want := range map[hclspec.Path]string{
		`job.j.name`:                                     "j",
		`job.j.task_role["w"]`:                           "w",
		`job.j.task_role["w"].commands[0]`:               "echo",
		`job.j.task_role["w"].resources`:                 "resourcePerInstance",
		`job.j.task_role["w"].resources.cpu`:             "1",
		`job.j.prerequisite["dockerimage"]["image"].uri`: "busybox",
		`job.j.parameters["a"]["b"][1]`:                  "two",
		`job.j.gang_allocation`:                          "false",
		`job.j.extras["own"]["c"]`:                       "d",
	} {
		at, ok := file.Sources[path]
		if !ok {
			t.Errorf("no place for %s", path)
			continue
		}
		if got := src[at.Start.Byte:at.End.Byte]; got != want {
			t.Errorf("%s is at %q, want %q", path, got, want)
		}
	}
}

// A file may already contain the replacement runes, literally or as escapes.
// Parse then replaces no characters.
func TestRunesThatHideCharactersStayWhatTheyAre(t *testing.T) {
	t.Parallel()
	for _, written := range []string{"\"\ue0f2/ \ue0f0\"", `"\ue0f2/ \uE0F0"`} {
		file, diags := Parse("job.yaml", []byte(job("parameters: {a: "+written+"}")))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		if got := file.Job.Parameters["a"]; got != "\ue0f2/ \ue0f0" {
			t.Errorf("%s is read as %q", written, got)
		}
	}
}

func TestOtherVersionsOfYAMLAreRefused(t *testing.T) {
	t.Parallel()
	for directive, want := range map[string]bool{"%YAML 1.1": true, "%YAML 1.2 # now": true, "%YAML\t1.20": true, "%YAML 2.0": false} {
		_, diags := Parse("job.yaml", []byte(directive+"\n---\n"+job("")))
		if diags.HasErrors() == want {
			t.Errorf("%s: %v", directive, diags)
		}
	}
}
