//go:build e2e && acc

package e2e

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// serveSlowly serves 30 MB over about 10 seconds to Pods and returns the address.
func serveSlowly(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", apitest.NodeIP+":0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	const parts, size = 100, 300_000
	go func() {
		_ = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(parts*size))
			for range parts {
				if _, err := w.Write(make([]byte, size)); err != nil {
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

// slowJob fetches for 10 seconds, has two prerequisites of 6 seconds, and a hook
// that holds it after its failure. The runtime reports a stage every 10 seconds
// at most.
func slowJob(server string) string {
	text := strings.Replace(job("sleep 12\nexit 7"), "    commands = [", `    prerequisites = [prerequisite.data.numbers, prerequisite.script.first, prerequisite.script.second, prerequisite.script.hook]
    commands = [`, 1)
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
    commands = ["sleep 40"]
  }
}
`, server)
	for _, name := range []string{"first", "second"} {
		text += fmt.Sprintf("prerequisite \"script\" %q {\n  callback \"taskStarts\" {\n    commands = [\"sleep 12\"]\n  }\n}\n", name)
	}
	return text
}

func TestEveryStageOfATask(t *testing.T) {
	s := newSpace(t, "stages", slowJob(serveSlowly(t)))
	s.must(0, "apply", "--auto-approve")
	wait := s.follow()
	var seen []string
	for deadline := time.Now().Add(2 * patience); ; time.Sleep(200 * time.Millisecond) {
		st := s.status()
		if st.State.Finished() {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the job is not finished; its stages were %q", seen)
		}
		for _, role := range st.TaskRoles {
			a := role.Tasks[0].Latest()
			if a == nil || a.Stage == nil || a.Exit != nil {
				continue
			}
			if name := strings.TrimSpace(string(a.Stage.Stage) + " " + a.Stage.Step); len(seen) == 0 || seen[len(seen)-1] != name {
				seen = append(seen, name)
			}
		}
	}
	wait()
	// The Pod may be scheduled and prepared before the first look.
	seen = slices.DeleteFunc(seen, func(name string) bool {
		return name == string(stage.Scheduling) || name == string(stage.Preparing) || strings.HasPrefix(name, string(stage.Ending))
	})
	want := []string{"fetching prerequisite.data.numbers", "prerequisite prerequisite.script.first", "prerequisite prerequisite.script.second", "commands", "held prerequisite.script.hook"}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	s.must(0, "destroy", "--auto-approve")
}

func TestWhatKeepsATaskFromRunning(t *testing.T) {
	for name, tt := range map[string]struct{ replace, by, want string }{
		"unschedulable":   {"cpu       = 1", "cpu       = 4000", "Insufficient cpu"},
		"image pull back": {"/shell:e2e", "/shell:missing", "cannot be pulled (ImagePullBackOff)"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSpace(t, strings.ReplaceAll(name, " ", "-"), strings.Replace(job("true"), tt.replace, tt.by, 1))
			s.must(0, "apply", "--auto-approve")
			wait := s.follow()
			for deadline := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) {
				text, err := json.Marshal(s.status())
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(string(text), tt.want) {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("no %q in %s", tt.want, text)
				}
			}
			s.must(0, "stop")
			wait()
			s.must(0, "destroy", "--auto-approve")
		})
	}
}
