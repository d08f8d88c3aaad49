// SPDX-License-Identifier: MPL-2.0

package contract

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestInvalidSSHParametersAreReportedAndCountAsAbsent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		parameters map[string]any
		want       SSHParameters
		problems   []ParameterProblem
	}{
		"nothing is given":           {},
		"null is absent":             {parameters: map[string]any{"jobssh": nil, "sshbarrier": nil, "sshbarrierTimeout": nil, "userssh": nil, "publicKeys": nil}},
		"flags":                      {parameters: map[string]any{"jobssh": true, "sshbarrier": "True"}, want: SSHParameters{JobSSH: true, Barrier: true}},
		"a timeout of half a minute": {parameters: map[string]any{"sshbarrierTimeout": 0.5}, want: SSHParameters{BarrierTimeout: 30 * time.Second}},
		"a timeout in quotes":        {parameters: map[string]any{"sshbarrierTimeout": "10"}, want: SSHParameters{BarrierTimeout: 10 * time.Minute}},
		"a barrier as a list": {
			parameters: map[string]any{"sshbarrier": []any{"master", "worker"}}, want: SSHParameters{Barrier: true, BarrierRoles: []string{"master", "worker"}}},
		"a barrier without task roles": {parameters: map[string]any{"sshbarrier": []any{}}},
		"userssh as a string":          {parameters: map[string]any{"userssh": "ssh-rsa AAAA"}, want: SSHParameters{Keys: []string{"ssh-rsa AAAA"}}},
		"userssh custom":               {parameters: map[string]any{"userssh": map[string]any{"type": "custom", "value": "k"}}, want: SSHParameters{Keys: []string{"k"}}},
		"userssh system":               {parameters: map[string]any{"userssh": map[string]any{"type": "system", "value": "admin"}}, want: SSHParameters{SystemKeys: "admin"}},
		"userssh without a value":      {parameters: map[string]any{"userssh": map[string]any{"type": "system"}}},
		"userssh without a type":       {parameters: map[string]any{"userssh": map[string]any{"value": "k"}}},
		"keys in the order written": {
			parameters: map[string]any{"publicKeys": []any{"a", "b"}, "userssh": "c"}, want: SSHParameters{Keys: []string{"a", "b", "c"}}},
		"unknown names": {
			parameters: map[string]any{"jobSSH": true, "userssh": map[string]any{"kind": "custom"}},
			problems: []ParameterProblem{
				{Path: []string{"jobSSH"}, Known: sshParameterNames}, {Path: []string{"userssh", "kind"}, Known: userSSHNames},
			}},
		"invalid values count as absent": {
			parameters: map[string]any{"jobssh": "perhaps", "sshbarrier": []any{1.0}, "sshbarrierTimeout": "soon", "publicKeys": 5.0, "userssh": []any{}},
			problems: []ParameterProblem{
				{Path: []string{"jobssh"}, Want: "a bool"},
				{Path: []string{"sshbarrierTimeout"}, Want: "a number of minutes from 0 to 100000000"},
				{Path: []string{"publicKeys"}, Want: "a public key or a list of public keys"},
				{Path: []string{"sshbarrier"}, Want: "true, false or a list of task roles"},
				{Path: []string{"userssh"}, Want: "a public key or an object with type and value"},
			}},
		"a path as the name of a file": {
			parameters: map[string]any{"userssh": map[string]any{"type": "system", "value": "../key"}},
			problems:   []ParameterProblem{{Path: []string{"userssh", "value"}, Want: "a file name"}}},
		"an unknown type of keys": {
			parameters: map[string]any{"userssh": map[string]any{"type": "admin", "value": "k"}},
			problems:   []ParameterProblem{{Path: []string{"userssh", "type"}, Want: `"custom", "system" or "none"`}}},
		"NaN minutes": {
			parameters: map[string]any{"sshbarrierTimeout": "NaN"},
			problems:   []ParameterProblem{{Path: []string{"sshbarrierTimeout"}, Want: "a number of minutes from 0 to 100000000"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, problems := ReadSSHParameters(c.parameters)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(c.problems, problems); diff != "" {
				t.Errorf("problems (-want +got)\n%s", diff)
			}
		})
	}
}

// Numbers from Terraform and YAML have string types that preserve the spelling.
func TestASpelledNumberIsANumber(t *testing.T) {
	t.Parallel()
	type spelled string
	got, problems := ReadSSHParameters(map[string]any{"sshbarrierTimeout": spelled("1.5"), "jobssh": spelled("1")})
	if got.BarrierTimeout != 90*time.Second || !got.JobSSH || len(problems) > 0 {
		t.Errorf("%+v, problems %v", got, problems)
	}
}

func FuzzReadSSHParameters(f *testing.F) {
	f.Add("1e9", "../x", "system")
	f.Add("Infinity", "admin", "custom")
	f.Fuzz(func(t *testing.T, minutes, value, kind string) {
		p, _ := ReadSSHParameters(map[string]any{"sshbarrierTimeout": minutes, "userssh": map[string]any{"type": kind, "value": value}})
		if p.BarrierTimeout < 0 || strings.ContainsAny(p.SystemKeys, "/") || p.SystemKeys == ".." {
			t.Errorf("%+v", p)
		}
	})
}
