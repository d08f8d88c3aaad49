// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestInvalidItemsAreRejected(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		oneItem: nil,
		"{name: x, require: [\"marketplace://name/other\"]}":                nil,
		"{name: x, require: [y]}":                                           {"unknown-prerequisite"},
		"{name: x, require: [\"marketplace://nam/other\"]}":                 {"invalid-item-reference"},
		"[{name: x, require: [y]}, {name: y, require: [x]}]":                {"prerequisite-cycle"},
		"{name: x, plugin: cdm}":                                            {"unknown-plugin"},
		"{name: x, callbacks: [{event: taskStart, commands: [a]}]}":         {"unknown-event"},
		"{name: x, uri: '{{ other }}', template_variables: [{name: root}]}": {"unknown-template-variable"},
		"{name: x, type: dockerimage, uri: 'https://example.org/image'}":    {"invalid-image"},
		jobText("train"): nil,
		jobText("train") + "secrets: {password: hush}\n":                                              {"item-holds-secret"},
		jobText("train") + "secrets: {user: {name: '', pin: 1}}\n":                                    {"item-holds-secret"},
		"{name: x, type: dockerimage, uri: a/b, auth: {username: a, password: hush, registryuri: a}}": {"item-holds-secret"},
		jobText("train") + "secrets: {password: ''}\n":                                                nil,
	} {
		items, diags := ParseFile("x.yaml", []byte(text))
		if diags.HasErrors() {
			t.Errorf("%s: %v", text, diags)
			continue
		}
		var got []string
		for _, d := range Validate(items) {
			got = append(got, hclspec.Code(d))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", text, diff)
		}
	}
}
