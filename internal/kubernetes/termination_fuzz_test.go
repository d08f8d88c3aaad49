// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// FuzzTerminationMessage checks that no termination message hides the failure
// of a container. A task can write any termination message.
func FuzzTerminationMessage(f *testing.F) {
	f.Add(exitspec.MessageStart+"\nexitCode: 7\noriginUserExitCode: 3\nreason: r\nerrorLogs: {user: \"a\\nb\"}\n"+exitspec.MessageEnd, int32(7))
	f.Add(exitspec.MessageStart+"\nexitCode: 0\n", int32(1))
	f.Add(exitspec.MessageStart+"\nexitCode: 0\nfetched: [\"0123456789ab 12 -\", \"x\"]\n"+exitspec.MessageEnd, int32(0))
	f.Add(exitspec.MessageStart+"a: &a [*a]", int32(255))
	f.Fuzz(func(t *testing.T, text string, code int32) {
		r := exitRecord(&framework.CompletionStatus{Code: code, Pod: &framework.PodCompletionStatus{
			Containers: []framework.ContainerCompletionStatus{{Name: appContainer, Code: code, Message: text}},
		}})
		if code != 0 && (r.Code == 0 || r.UserCode == 0) {
			t.Errorf("exit code %d became %d; exit code of the user: %d", code, r.Code, r.UserCode)
		}
	})
}
