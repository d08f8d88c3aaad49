// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"strings"
	"testing"
)

// TestNamesInManifestsAreTakenAsTheyAre checks that names are not split. A
// comma-separated list flag would split names at commas and ignore text after a line
// break.
func TestNamesInManifestsAreTakenAsTheyAre(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		args     []string
		out, err string // expected substrings
	}{
		"a user with a line break":      {args: []string{"--user", "alice\nbob"}, err: `invalid user or group "alice\nbob"`},
		"a group with a line break":     {args: []string{"--group", "vision\nspeech"}, err: `invalid user or group "vision\nspeech"`},
		"a workspace with a line break": {args: []string{"--workspace", "digits\nfaces"}, err: `invalid workspace "digits\nfaces"`},
		"a workspace without a name":    {args: []string{"--workspace", ""}, err: `invalid workspace ""`},
		"a group with commas":           {args: []string{"--group", "CN=vision,OU=research"}, out: "kind: Group\n  name: CN=vision,OU=research\n"},
		"two users, each with a flag":   {args: []string{"--user", "alice", "--user", "bob"}, out: "kind: User\n  name: alice\n- apiGroup: rbac.authorization.k8s.io\n  kind: User\n  name: bob\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, err bytes.Buffer
			code := Main(append([]string{"cluster", "manifests", "--only", "role"}, tt.args...), NewStreams(nil, &out, &err), release)
			if code == 0 != (tt.err == "") || !strings.Contains(err.String(), tt.err) || !strings.Contains(out.String(), tt.out) {
				t.Errorf("code %d, error %q, output\n%s", code, err.String(), out.String())
			}
		})
	}
}

// TestManifestsThatAreRefusedAreNotPrinted checks that an error leaves no partial
// output, which could be piped into kubectl.
func TestManifestsThatAreRefusedAreNotPrinted(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"the namespace of the engine": {"--namespace", "frameworkcontroller"},
		"a namespace of Kubernetes":   {"--namespace", "kube-system"},
		"a group of Kubernetes":       {"--group", "system:authenticated"},
		"a part that does not exist":  {"--only", "roles"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, err bytes.Buffer
			code := Main(append([]string{"cluster", "manifests"}, args...), NewStreams(nil, &out, &err), release)
			if code != 1 || out.Len() > 0 || err.Len() == 0 {
				t.Errorf("code %d, error %q, %d bytes of manifests", code, err.String(), out.Len())
			}
		})
	}
}
