// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWithoutSecretsKeepsTheOtherLines(t *testing.T) {
	t.Parallel()
	const role = "taskRoles:\n  w:\n    dockerImage: i\n    commands: [\"echo <% $secrets.token %>\"] # kept\n    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n"
	const head = "# a file\nprotocolVersion: 2\nname: a\ntype: job\nprerequisites:\n  - {name: i, type: dockerimage, uri: busybox}\n"
	const masked = "secrets:\n  token: '******'\n"
	for name, c := range map[string]struct{ src, want string }{
		"no secrets":                      {head + role, head + role},
		"secrets at the end":              {head + role + "secrets:\n  token: \"canary-1\" # was canary-0\n", head + role + masked},
		"secrets before another key":      {head + "secrets: {token: canary-1}\n\n# the roles\n" + role, head + masked + "# the roles\n" + role},
		"a value of several lines":        {head + "secrets:\n  token: |\n    canary-1\n\n    canary-2\n" + role, head + masked + role},
		"nested values":                   {head + "secrets:\n  token: canary-1\n  keys: [canary-2, canary-3]\n" + role, head + "secrets:\n  token: '******'\n  keys:\n    \"0\": '******'\n    \"1\": '******'\n" + role},
		"a second document":               {head + role + "secrets:\n  token: canary-1\n---\n", head + role + masked + "---\n"},
		"line breaks of another system":   {strings.ReplaceAll(head+"secrets:\n  token: canary-1\n"+role, "\n", "\r\n"), strings.ReplaceAll(head, "\n", "\r\n") + masked + strings.ReplaceAll(role, "\n", "\r\n")},
		"a file without a last line feed": {head + role + "secrets:\n  token: canary-1", head + role + masked},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := WithoutSecrets("a.yaml", []byte(c.src))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestWithoutSecretsRefusesOtherForms(t *testing.T) {
	t.Parallel()
	const job = `{protocolVersion: 2, name: a, type: job, prerequisites: [{name: i, type: dockerimage, uri: busybox}], secrets: {token: canary-1}, taskRoles: {w: {dockerImage: i, commands: [ls], resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}}}}`
	const shared = "protocolVersion: 2\nname: a\ntype: job\nprerequisites:\n  - {name: i, type: dockerimage, uri: busybox}\nsecrets:\n  token: &t canary-1\ntaskRoles:\n  w:\n    dockerImage: i\n    commands: [*t]\n    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n"
	for name, src := range map[string]string{"a job on one line": job, "a value that is used elsewhere": shared} {
		if got, err := WithoutSecrets("a.yaml", []byte(src)); err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}
