// SPDX-License-Identifier: MPL-2.0

//go:build e2e && acc

package e2e

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/planner"
)

const quickstart = "../../../examples/quickstart"

// onCluster replaces the quickstart's sources of images, data and storage. With
// fewer than three CPUs, it sets one worker: two workers and the reducer do not
// fit on the node.
func onCluster(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(quickstart, "main.pai.hcl"))
	if err != nil {
		t.Fatal(err)
	}
	job := string(text)
	replace := func(old, with string) {
		if !strings.Contains(job, old) {
			t.Fatalf("the quickstart does not contain %q", old)
		}
		job = strings.Replace(job, old, with, 1)
	}
	results := t.TempDir()
	replace(`job "elements" {`, "job \"elements\" {\n  cluster = \"e2e\"")
	replace(`"busybox:1.36"`, `"`+images+`/shell:e2e"`)
	replace(`"data/elements.csv"`, `"`+serve(t, filepath.Join(quickstart, "data"))+`/elements.csv"`)
	replace(`host_path = "results"`, `host_path = "`+results+`"`)
	if runtime.NumCPU() < 3 {
		replace("instances = 2", "instances = 1")
	}
	return job
}

func TestTheQuickstartRunsOnANode(t *testing.T) {
	s := newSpace(t, "quickstart", onCluster(t))
	if out := s.must(1, "cluster", "check"); !strings.Contains(out, "no Pod has the label app=frameworkcontroller") || strings.Count(out, "\nmissing  ") != 1 {
		t.Errorf("check reports more than the missing engine:\n%s", out)
	}
	s.must(0, "apply", "--auto-approve")
	wait := s.follow()
	if out := s.must(0, "logs", "-f"); !strings.Contains(out, "elements in my part") || !strings.Contains(out, "elements: weight = ") || strings.Contains(out, "only-for-this-example") {
		t.Errorf("log:\n%s", out)
	}
	s.must(0, "wait")
	wait()
	st := s.status()
	if st.State != planner.StateSucceeded {
		t.Errorf("state %s: %s", st.State, st.Reason)
	}
	s.must(0, "plan", "--detailed-exitcode")
	checkAfterwards(t, s)
	s.must(0, "destroy", "--auto-approve")
	if out := s.must(0, "status"); out != "job.elements  ABSENT  declared, not applied\n" {
		t.Errorf("objects remain after destroy:\n%s", out)
	}
}

// checkAfterwards checks logs and events after the Pods were deleted.
func checkAfterwards(t *testing.T, s *space) {
	t.Helper()
	code, out, notes := s.openpai("logs", "--role", "reduce")
	if code != 0 || !strings.Contains(out, "predicted weight") || !strings.Contains(notes, "reduce[0]: the Pod no longer exists; these are the last lines") || !strings.Contains(notes, "the complete log is in alice/") {
		t.Errorf("logs of a finished task: code %d\n%s\n%s", code, out, notes)
	}
	code, out, notes = s.openpai("logs", "--role", "reduce", "--log-storage", filepath.Join(s.dir, "logs"))
	if code != 0 || !strings.Contains(out, "predicted weight") || !strings.Contains(notes, "the log in the log storage") {
		t.Errorf("logs of a finished task in the log storage: code %d\n%s\n%s", code, out, notes)
	}
	if out := s.must(0, "events"); !strings.Contains(out, "Scheduled") || !strings.Contains(out, "Started") {
		t.Errorf("events:\n%s", out)
	}
}
