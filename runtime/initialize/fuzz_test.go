// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"encoding/json"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// FuzzRuntimeConfig checks that an accepted configuration results in a
// specification that the task can read.
func FuzzRuntimeConfig(f *testing.F) {
	f.Add("commands: [\"true\"]\nruntimePlugin:\n  - plugin: cmd\n    parameters: {preCommands: [a], callbacks: [{event: taskExits, commands: [b], timeout: 1m}]}\n")
	f.Add("commands: [x]\nstopGraceSeconds: -1\n")
	f.Add("commands: &a [*a]\n")
	f.Add("commands: [x]\nruntimePlugin: [{plugin: ssh, parameters: {jobssh: true, userssh: {value: [k]}}}]\n")
	f.Fuzz(func(t *testing.T, text string) {
		o := &Options{Getenv: func(name string) string { return map[string]string{envRuntimeConfig: text}[name] }}
		spec, err := o.configuredSpec(nil)
		if err != nil || spec == nil {
			return
		}
		written, err := json.Marshal(spec)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := runspec.Parse("run.json", written); err != nil {
			t.Errorf("%v in %s", err, written)
		}
		if len(spec.Commands) == 0 || spec.StopGraceSeconds < 1 {
			t.Errorf("accepted: %s", written)
		}
	})
}

// FuzzSiteExitSpecification checks that the analysis returns a valid container
// exit code for any decoded specification of the operator.
func FuzzSiteExitSpecification(f *testing.F) {
	f.Add([]byte("- containerExitCode: 77\n  phrase: Mine\n  patterns: [{exitCode: 3, userLogRegex: \"(?i)no (disk|space)\"}]\n"), []byte("no space left"))
	f.Add([]byte("- containerExitCode: 0\n- containerExitCode: 256\n- patterns: [{userLogRegex: \"(\"}]\n"), []byte("x"))
	f.Fuzz(func(t *testing.T, text, log []byte) {
		var rules []exitspec.Rule
		if decode("runtime-exit-spec.yaml", text, &rules) != nil {
			return
		}
		x, _ := exitspec.NewExtension(rules)
		m := exitspec.Analyze(exitspec.Input{ExitCode: 3, UserLog: log, Extension: x})
		if m.Code < 1 || m.Code > 255 {
			t.Errorf("code %d", m.Code)
		}
	})
}
