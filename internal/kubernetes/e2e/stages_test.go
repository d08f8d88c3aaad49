// SPDX-License-Identifier: MPL-2.0

//go:build e2e && acc

package e2e

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// slowSize is the number of bytes that serveSlowly serves.
const slowSize = 30_000_000

// longPatience is the maximum wait for a job with several steps of a few seconds
// each.
const longPatience = 5 * time.Minute

// serveSlowly serves 30 MB to Pods over about 10 seconds and returns the URL.
func serveSlowly(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", apitest.NodeIP+":0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	const parts = 100
	go func() {
		_ = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(slowSize))
			for range parts {
				if _, err := w.Write(make([]byte, slowSize/parts)); err != nil {
					return
				}
				_ = http.NewResponseController(w).Flush()
				select {
				case <-r.Context().Done():
					return
				case <-time.After(100 * time.Millisecond):
				}
			}
		}))
	}()
	return "http://" + l.Addr().String()
}

// slowJob returns a job whose steps each take more than 2 seconds, because
// the runtime reports a stage only after that time. The fetch takes 10
// seconds; the two script prerequisites and the commands take 6 seconds each.
// After a failure, a hook holds the task.
func slowJob(image, server string) string {
	text := strings.NewReplacer(
		images+"/shell:e2e", image,
		"    commands = [", "    prerequisites = [prerequisite.data.numbers, prerequisite.script.first, prerequisite.script.second, prerequisite.script.hook]\n    commands = [",
	).Replace(job("sleep 6\nexit 7"))
	text += fmt.Sprintf(`
prerequisite "data" "numbers" {
  fetch {
    url = "%s/numbers.bin"
    to  = "/tmp/numbers.bin"
  }
}
prerequisite "script" "hook" {
  callback "taskFails" {
    timeout  = "15m"
    commands = ["sleep 600"]
  }
}
`, server)
	for _, name := range []string{"first", "second"} {
		text += fmt.Sprintf("prerequisite \"script\" %q {\n  callback \"taskStarts\" {\n    commands = [\"sleep 6\"]\n  }\n}\n", name)
	}
	return text
}

// reaction is an action that runs when the task reaches a stage for a reason.
type reaction struct {
	stage  stage.Name
	reason string // substring of the reason
	do     func()
}

// stages polls the only task until the job ends, and returns all stages. It runs
// each reaction once, in order.
func (s *space) stages(limit time.Duration, reactions ...reaction) (seen []string) {
	s.t.Helper()
	for deadline := time.Now().Add(limit); ; time.Sleep(200 * time.Millisecond) {
		st := s.status()
		if st.State.Finished() {
			return seen
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("the job is not finished; its stages were %q", seen)
		}
		r := stageOf(st)
		if r == nil {
			continue
		}
		if words := strings.TrimSpace(string(r.Stage) + " " + r.Step); len(seen) == 0 || seen[len(seen)-1] != words {
			seen = append(seen, words)
		}
		if len(reactions) > 0 && r.Stage == reactions[0].stage && strings.Contains(r.Reason, reactions[0].reason) {
			reactions[0].do()
			reactions = reactions[1:]
		}
	}
}

// stageOf returns the stage of the only task, or nil if it is unknown.
func stageOf(st *cluster.Status) *stage.Record {
	for _, role := range st.TaskRoles {
		if a := role.Tasks[0].Latest(); a != nil && a.Exit == nil {
			return a.Stage
		}
	}
	return nil
}

// TestStatusShowsEveryStageOfATask checks that `status` shows every stage of a task. It
// starts with an unschedulable node and a missing image. When the status shows
// that the task is waiting for the node, the test makes the node schedulable.
// When the status shows that the task is waiting for the image, the test adds
// the image.
func TestStatusShowsEveryStageOfATask(t *testing.T) {
	late := images + "/shell:late"
	s := newSpace(t, "stages", slowJob(late, serveSlowly(t)))
	closeNode(t, true)
	t.Cleanup(func() { closeNode(t, false) })
	s.must(0, "apply", "--auto-approve")
	wait := s.followFor(longPatience)
	seen := s.stages(longPatience,
		reaction{stage.Scheduling, "unschedulable", func() { closeNode(t, false) }},
		reaction{stage.Preparing, "cannot be pulled", func() { copyImage(t, images+"/shell:e2e", late) }},
		reaction{stage.Fetching, "", func() {
			if r := stageOf(s.status()); r == nil || r.Fetch == nil || r.Fetch.Total != slowSize || r.Fetch.Bytes == 0 {
				t.Errorf("the download is not described: %+v", r)
			}
		}},
		reaction{stage.Held, "", func() {
			if r := stageOf(s.status()); r.ExitCode == nil || *r.ExitCode != 7 || r.Until.IsZero() {
				t.Errorf("the hold is not described: %+v", r)
			}
			s.must(0, "release")
		}},
	)
	wait()
	// Until the next callback starts, the status may show the stage "ending" without
	// a step.
	seen = slices.DeleteFunc(seen, func(words string) bool { return words == string(stage.Ending) })
	want := []string{
		"scheduling", "preparing", "fetching prerequisite.data.numbers", "prerequisite prerequisite.script.first", "prerequisite prerequisite.script.second",
		"commands", "ending prerequisite.script.hook", "held prerequisite.script.hook",
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if st := s.status(); st.UserCode == nil || *st.UserCode != 7 {
		t.Errorf("status %+v", st)
	}
	s.must(0, "destroy", "--auto-approve")
}

func TestStatusShowsWhatPreventsATaskFromRunning(t *testing.T) {
	for name, tt := range map[string]struct {
		replace, by string
		stage       stage.Name
		reason      string
	}{
		"unschedulable":   {"cpu       = 1", "cpu       = 4000", stage.Scheduling, "Insufficient cpu"},
		"image pull back": {"/shell:e2e", "/shell:missing", stage.Preparing, "cannot be pulled (ImagePullBackOff)"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSpace(t, strings.ReplaceAll(name, " ", "-"), strings.Replace(job("true"), tt.replace, tt.by, 1))
			s.must(0, "apply", "--auto-approve")
			wait := s.followFor(longPatience)
			s.stages(longPatience, reaction{tt.stage, tt.reason, func() { s.must(0, "stop") }})
			wait()
			s.must(0, "destroy", "--auto-approve")
		})
	}
}

func closeNode(t *testing.T, closed bool) {
	t.Helper()
	if err := server.Cordon(context.Background(), closed); err != nil {
		t.Error(err)
	}
}
