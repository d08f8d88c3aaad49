// SPDX-License-Identifier: MPL-2.0

package policytest_test

import (
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/policytest"
)

func TestInvalidTestFilesAreRejected(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ source, want string }{
		"a test":              {"test \"a\" {\n  config = \"x\"\n  deny = [\"p\"]\n}\n", ""},
		"no config":           {"test \"a\" {\n}\n", "must set either config"},
		"config and path":     {"test \"a\" {\n  config = \"x\"\n  path = \"y\"\n}\n", "must set either config"},
		"another block":       {"policy \"a\" {\n}\n", "Unknown block \"policy\""},
		"another argument":    {"test \"a\" {\n  config = \"x\"\n  denied = []\n}\n", "denied"},
		"a reference":         {"test \"a\" {\n  config = var.x\n}\n", "Variables not allowed"},
		"what is not HCL":     {"test {", "Unclosed"},
		"a list of numbers":   {"test \"a\" {\n  config = \"x\"\n  deny = [[1]]\n}\n", "string required"},
		"a test without name": {"test {\n  config = \"x\"\n}\n", "name"},
	}
	for name, tt := range tests {
		got, diags := policytest.Parse("t", []byte(tt.source))
		text := ""
		for _, d := range diags {
			text += d.Error()
		}
		if tt.want == "" && (text != "" || len(got) != 1) || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// FuzzParse checks that Parse returns valid tests or errors. Tests can come from
// untrusted authors.
func FuzzParse(f *testing.F) {
	f.Add("test \"a\" {\n  config = <<-EOT\n    job \"a\" {}\n  EOT\n  deny = [\"p\"]\n}\n")
	f.Add("test \"a\" {\n  path = \"ws\"\n  destroy = true\n}\n")
	f.Fuzz(func(t *testing.T, source string) {
		tests, diags := policytest.Parse("t", []byte(source))
		for _, test := range tests {
			if !diags.HasErrors() && (test.Config == "") == (test.Path == "") {
				t.Errorf("%+v", test)
			}
		}
	})
}
