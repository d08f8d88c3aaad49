// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// BenchmarkInit runs the init container as a process, without a network. In the small
// case, the run specification has two tasks, one prerequisite and the ssh plugin. The
// large case has a Framework with 5,000 tasks. As in a Pod, the container's directory
// is empty at the start.
func BenchmarkInit(b *testing.B) {
	for _, tasks := range []int{2, 5000} {
		b.Run(fmt.Sprint(tasks, " tasks"), func(b *testing.B) {
			c := benchContainer(b, tasks, true)
			memory := 0.0
			for b.Loop() {
				b.StopTimer()
				c.emptied(b)
				b.StartTimer()
				cmd := exec.Command(program, "init")
				cmd.Env = c.environ
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
				memory = max(memory, float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)/1024)
			}
			b.ReportMetric(memory, "MiB-peak")
		})
	}
}

// emptied removes the files that an earlier init wrote.
func (c container) emptied(b *testing.B) {
	b.Helper()
	root := filepath.Join(c.dir, "pai")
	entries, err := os.ReadDir(root)
	if err != nil && !os.IsNotExist(err) {
		b.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "framework.json" {
			continue // the barrier reads it
		}
		if err := os.RemoveAll(filepath.Join(root, e.Name())); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirstCommand measures the median time between the program start and the
// first byte that the user's command prints. For comparison, the "sh" case runs a
// shell without the runtime.
func BenchmarkFirstCommand(b *testing.B) {
	first := func(b *testing.B, cmd *exec.Cmd) time.Duration {
		out, err := cmd.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil {
			b.Fatal(err)
		}
		took := time.Since(start)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return took
	}
	report := func(b *testing.B, times []time.Duration) {
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms-to-command")
	}
	b.Run("sh", func(b *testing.B) {
		var times []time.Duration
		for b.Loop() {
			times = append(times, first(b, exec.Command("bash", "-c", "echo x; sleep 60")))
		}
		report(b, times)
	})
	for _, tasks := range []int{2, 5000, 10_000} {
		b.Run(fmt.Sprint(tasks, " tasks"), func(b *testing.B) {
			c := benchContainer(b, tasks, false)
			init := exec.Command(program, "init")
			init.Env = c.environ
			if out, err := init.CombinedOutput(); err != nil {
				b.Fatalf("%v\n%s", err, out)
			}
			var times []time.Duration
			for b.Loop() {
				_ = os.Remove(filepath.Join(c.dir, "pai/journal.jsonl"))
				cmd := exec.Command(program, "run")
				cmd.Env, cmd.Dir = c.environ, c.dir
				times = append(times, first(b, cmd))
			}
			report(b, times)
		})
	}
}

// benchContainer returns a container with a run specification. With 2 tasks,
// prerequisite adds a prerequisite and the ssh plugin; with any other number, it
// has no effect. With more than 2 tasks, the container also has a Framework file
// that lists all tasks.
func benchContainer(b *testing.B, tasks int, prerequisite bool) container {
	b.Helper()
	dir := b.TempDir()
	spec := worker("echo x", "sleep 60")
	spec.Roles[0].Tasks = tasks
	spec.Roles[0].Ports = append(spec.Roles[0].Ports, runspec.Port{Label: "ssh", Count: 1})
	if tasks == 2 && prerequisite {
		spec.Steps = []runspec.Step{
			{Address: "prerequisite.script.a", Name: "a", Plugin: "cmd", Callbacks: []runspec.Callback{{Event: "taskStarts", Commands: []string{"true"}}}},
			{Address: "plugin.ssh", Name: "ssh", Plugin: "ssh", Parameters: map[string]any{"jobssh": true}},
		}
	}
	write := func(name string, content any) {
		text, err := json.Marshal(content)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o644)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	write("run.json", spec)
	uid := func(i int) string { return fmt.Sprintf("%08x-9bda-11ea-830b-%012x", i*2654435761%(1<<32), i) }
	if tasks > 2 {
		var statuses []any
		for i := range tasks {
			statuses = append(statuses, map[string]any{
				"index": i, "instanceUID": "0_" + uid(i), "state": "AttemptPreparing", "startTime": "2026-01-01T00:00:00Z", "transitionTime": "2026-01-01T00:00:00Z",
				"retryPolicyStatus": map[string]any{"totalRetriedCount": 0, "accountableRetriedCount": 0},
				"attemptStatus": map[string]any{"id": 0, "startTime": "2026-01-01T00:00:00Z", "podName": fmt.Sprint("0123456789abcdef0123456789abcdef-worker-", i),
					"podUID": uid(i), "podNodeName": fmt.Sprint("node-", i/8), "podIP": fmt.Sprintf("10.1.%d.%d", i/250, i%250), "podHostIP": fmt.Sprintf("10.2.%d.%d", i/2000, i/8%250)},
			})
		}
		write("pai/framework.json", map[string]any{
			"spec":   map[string]any{"taskRoles": []any{map[string]any{"name": "worker", "taskNumber": tasks}}},
			"status": map[string]any{"attemptStatus": map[string]any{"taskRoleStatuses": []any{map[string]any{"name": "worker", "taskStatuses": statuses}}}},
		})
	}
	return container{dir, []string{
		"PATH=" + os.Getenv("PATH"), "PAI_ROOT_DIR=" + filepath.Join(dir, "pai"), "PAI_CONFIG_DIR=" + dir, "PAI_TERMINATION_FILE=" + filepath.Join(dir, "termination"),
		"FC_POD_UID=" + uid(1), "FC_TASKROLE_NAME=worker", "FC_TASK_INDEX=1", "FC_TASK_ATTEMPT_ID=0", "FC_FRAMEWORK_ATTEMPT_ID=0", "PAI_POD_IP=10.1.2.3",
	}}
}
