// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// The kubelet kills all processes at the end of the grace period. The runtime must
// write the record before the grace period ends.
func TestTheRuntimeKeepsTimeOfTheGracePeriodForItsRecord(t *testing.T) {
	t.Parallel()
	for pod, want := range map[int]int{1: 1, 2: 1, 6: 5, 7: 5, 12: 10, 30: 25, 600: 595} {
		if got := scriptGrace(pod); got != want {
			t.Errorf("of a grace period of %d s, scripts get %d s, want %d s", pod, got, want)
		}
	}
}

func TestCallbacksOfACommandPluginAreDecoded(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.env["RUNTIME_CONFIG"] = `
commands: [a]
runtimePlugin:
  - plugin: cmd
    parameters:
      preCommands: [b]
      callbacks:
        - event: taskFails
          commands: [c, d]
          failurePolicy: ignore
          timeout: 1d30m
          retry: { attempts: 3, backoff: 2s }
        - { event: taskExits, commands: [e], timeout: 2d, retry: { attempts: 1 } }
`
	spec, err := b.opts.configuredSpec(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []runspec.Callback{
		{Event: "taskStarts", Commands: []string{"b"}},
		{Event: "taskFails", Commands: []string{"c", "d"}, FailurePolicy: "ignore", TimeoutSeconds: 88200, Retry: &runspec.Retry{Attempts: 3, BackoffSeconds: 2}},
		{Event: "taskExits", Commands: []string{"e"}, TimeoutSeconds: 172800, Retry: &runspec.Retry{Attempts: 1}},
	}
	if diff := cmp.Diff(want, spec.Steps[0].Callbacks); diff != "" {
		t.Errorf("callbacks (-want +got)\n%s", diff)
	}
}
