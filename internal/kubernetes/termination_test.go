// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/metrics"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

func TestAnExitRecordIsReadFromThePod(t *testing.T) {
	t.Parallel()
	ours := string(exitspec.Message(exitspec.Record{Code: 255, UserCode: 7, Reason: "the user's commands exited with code 7", Stage: "commands"}, exitspec.Match{}, []byte("one\ntwo\n"), nil))
	tests := map[string]struct {
		code              int32
		containers        []framework.ContainerCompletionStatus
		wantCode, userExt int
		wantReason, line  string
	}{
		"the runtime's message":                     {255, []framework.ContainerCompletionStatus{{Name: "init", Reason: "Completed"}, {Name: "app", Reason: "Error", Code: 255, Message: ours}}, 255, 7, "the user's commands exited with code 7", "two"},
		"a failed init container without a message": {1, []framework.ContainerCompletionStatus{{Name: "init", Reason: "Error", Code: 1, Message: "cannot read\nrun.json"}, {Name: "app", Code: 0}}, 1, 1, "the container init ended: Error", "run.json"},
		"memory":                     {-1200, []framework.ContainerCompletionStatus{{Name: "app", Reason: "OOMKilled", Code: 137}}, 137, 137, "the container app was killed because it exceeded its memory limit", ""},
		"success":                    {0, []framework.ContainerCompletionStatus{{Name: "app", Reason: "Completed"}}, 0, 0, "diagnostics", ""},
		"no Pod at all":              {-220, nil, -220, -220, "diagnostics", ""},
		"a message that is not YAML": {3, []framework.ContainerCompletionStatus{{Name: "app", Code: 3, Message: exitspec.MessageStart + "\n: [\n" + exitspec.MessageEnd}}, 3, 3, "", exitspec.MessageEnd},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			done := &framework.CompletionStatus{Code: tt.code, Diagnostics: "diagnostics", Type: framework.CompletionType{Name: framework.Failed}}
			if tt.containers != nil {
				done.Pod = &framework.PodCompletionStatus{Containers: tt.containers}
			}
			r := exitRecord(done)
			if r.Code != tt.wantCode || r.UserCode != tt.userExt || !strings.Contains(r.Reason, tt.wantReason) {
				t.Errorf("record %+v", r)
			}
			if r.Stopped != (tt.code == framework.CodeAttemptCompletion) {
				t.Errorf("stopped %t", r.Stopped)
			}
			if got := strings.Join(r.LastLines, "\n"); !strings.HasSuffix(got, tt.line) {
				t.Errorf("last lines %q, want the end %q", got, tt.line)
			}
		})
	}
}

func TestExitRecordHasWhatTheTaskReportedAndUsed(t *testing.T) {
	t.Parallel()
	r := exitspec.Record{Reason: "the task succeeded", Stage: "commands", Metrics: metrics.Values{"loss": 1e-7, "n": 3}, CPUSeconds: 1.25, PeakMemoryBytes: 1 << 20}
	message := string(exitspec.Message(r, exitspec.Match{}, nil, nil))
	for name, c := range map[string]struct {
		message string
		want    metrics.Values
	}{
		"of the runtime": {message, r.Metrics},
		"of the task":    {strings.Replace(message, `"n":3`, `"n":.inf,"a b":1`, 1), metrics.Values{"loss": 1e-7}},
	} {
		got := exitRecord(&framework.CompletionStatus{Pod: &framework.PodCompletionStatus{Containers: []framework.ContainerCompletionStatus{{Name: "app", Message: c.message}}}})
		if diff := cmp.Diff(c.want, got.Metrics); diff != "" || got.CPUSeconds != 1.25 || got.PeakMemoryBytes != 1<<20 {
			t.Errorf("%s: %+v\n%s", name, got, diff)
		}
	}
}

func TestExitRecordHasTheDownloads(t *testing.T) {
	t.Parallel()
	f := exitspec.Fetched{Step: "prerequisite.data.a", URL: "https://x/a", SHA256: strings.Repeat("ab", 32), Bytes: 12}
	message := string(exitspec.Message(exitspec.Record{Fetched: []exitspec.Fetched{f}}, exitspec.Match{}, nil, nil))
	got := exitRecord(&framework.CompletionStatus{Pod: &framework.PodCompletionStatus{Containers: []framework.ContainerCompletionStatus{{Name: "app", Message: message}}}})
	want := []exitspec.Fetched{{Key: f.Identity(), SHA256: f.SHA256, Bytes: f.Bytes}}
	if diff := cmp.Diff(want, got.Fetched); diff != "" {
		t.Errorf("downloads (-want +got)\n%s\n%s", diff, message)
	}
}

func TestExitRecordHasTheWordsOfTheCluster(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]exitspec.Record{
		"of its own code":         {Code: 241, UserCode: 5, Phrase: "LicenseServerDown", Advice: "ask #licenses"},
		"of a code that is known": {Code: 226, UserCode: 5, Phrase: "PAIRuntimeGpuTrouble", Advice: "ask #gpus"},
	} {
		text := string(exitspec.Message(want, exitspec.Match{}, nil, nil))
		r := exitRecord(&framework.CompletionStatus{Code: int32(want.Code), Phrase: "FromTheEngine", Pod: &framework.PodCompletionStatus{
			Containers: []framework.ContainerCompletionStatus{{Name: "app", Code: int32(want.Code), Message: text}},
		}})
		if r.Phrase != want.Phrase || r.Advice != want.Advice {
			t.Errorf("%s: %q, %q", name, r.Phrase, r.Advice)
		}
	}
}

// TestAnExitMessageWithoutAHintHasAdvice checks messages from runtimes that do
// not write hints.
func TestAnExitMessageWithoutAHintHasAdvice(t *testing.T) {
	t.Parallel()
	for code, tt := range map[int32]struct{ message, advice string }{
		255: {"[PAI_RUNTIME_ERROR_START]\nexitCode: 255\noriginUserExitCode: 7\nreason: \"the user's commands exited with code 7\"\nstage: \"commands\"\n[PAI_RUNTIME_ERROR_END]\n",
			"check the exit code of the commands and the end of the log"},
		242: {"[PAI_RUNTIME_ERROR_START]\nexitCode: 242\noriginUserExitCode: 4\nphrase: \"ClusterExit242\"\nadvice: \"ask the administrator of the cluster what the code means\"\n[PAI_RUNTIME_ERROR_END]\n",
			"ask the administrator of the cluster what the code means"},
	} {
		r := exitRecord(&framework.CompletionStatus{Code: code, Pod: &framework.PodCompletionStatus{
			Containers: []framework.ContainerCompletionStatus{{Name: "app", Code: code, Message: tt.message}},
		}})
		if got := view.ExitAdvice(r); got != tt.advice {
			t.Errorf("%d: got %q, want %q", code, got, tt.advice)
		}
	}
}
