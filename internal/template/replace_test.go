// SPDX-License-Identifier: MPL-2.0

package template

import "testing"

func TestOnlyTagsWithAReplacementAreReplaced(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain":                             "plain",
		"a <% $secrets.x %> b":              "a [x] b",
		"<% $secrets['x'] %><%$secrets.y%>": "[x][y]",
		"<% $parameters.x %>":               "<% $parameters.x %>",
		"<%% $secrets.x %>":                 "<%% $secrets.x %>",
		"<% $secrets.{{x}} %>":              "<% $secrets.{{x}} %>",
		"<% <% $secrets.x %>":               "<% [x]",
		"<% $secrets.x":                     "<% $secrets.x",
	} {
		got := Replace(in, func(ref Ref) string {
			if ref.Root != "secrets" {
				return ""
			}
			return "[" + ref.Path[0].(string) + "]"
		})
		if got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}
