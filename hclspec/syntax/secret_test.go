// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"strings"
	"testing"
)

func TestConditionsOverSecretsAreRefusedInEverySyntax(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		name, src string
		refused   int
	}{
		"a conditional":                       {"a.pai.hcl", `x = secret.t == "a" ? 1 : 2`, 1},
		"a directive":                         {"a.pai.hcl", `x = "%{ if secret.t == "a" }b%{ endif }"`, 1},
		"a conditional in JSON":               {"a.pai.hcl.json", `"${secret.t == \"a\" ? 1 : 2}"`, 1},
		"a conditional in a list of JSON":     {"a.pai.hcl.json", `[{"k": "${secret.t == \"a\" ? 1 : 2}"}]`, 1},
		"a directive in JSON":                 {"a.pai.hcl.json", `"%{ if secret.t == \"a\" }b%{ endif }"`, 1},
		"a key in JSON":                       {"a.pai.hcl.json", `{"${secret.t == \"a\" ? 1 : 2}": 1}`, 1},
		"a key that is a secret in JSON":      {"a.pai.hcl.json", `[{"${secret.t}": 1}]`, 1},
		"a key that is a secret":              {"a.pai.hcl", `x = { (secret.t) = 1 }`, 1},
		"a secret as a result":                {"a.pai.hcl", `x = true ? secret.t : ""`, 0},
		"a secret as a result in JSON":        {"a.pai.hcl.json", `"${true ? secret.t : \"\"}"`, 0},
		"a condition without a secret":        {"a.pai.hcl.json", `["${secret.t}", "${1 == 2 ? 1 : 2}"]`, 0},
		"a string that looks like a template": {"a.pai.hcl.json", `"$${secret.t == 1 ? 1 : 2}"`, 0},
	}
	for sentence, c := range cases {
		src := "secret \"t\" {\n  env = \"T\"\n}\nlocals {\n  " + c.src + "\n}\n"
		if isJSON(c.name) {
			src = `{"secret": {"t": {"env": "T"}}, "locals": {"x": ` + c.src + `}}`
		}
		_, diags := Decode(Input{Files: map[string][]byte{c.name: []byte(src)}})
		if got := strings.Count(listing(diags), "secret-changed"); got != c.refused || len(diags) != c.refused {
			t.Errorf("%s: %s", sentence, listing(diags))
		}
	}
}
