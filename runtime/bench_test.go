// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// BenchmarkTask runs an entire task with the command "true" and one cmd
// prerequisite. BenchmarkShell runs only the shell, for comparison.
func BenchmarkTask(b *testing.B) {
	for _, tasks := range []int{2, 10_000} {
		b.Run(fmt.Sprint(tasks, " tasks"), func(b *testing.B) {
			c := benchConfig(b, tasks)
			for b.Loop() {
				c.Attempt++
				if r := Run(context.Background(), c); r.Code != 0 {
					b.Fatalf("%+v", r)
				}
			}
		})
	}
}

func BenchmarkShell(b *testing.B) {
	for b.Loop() {
		if err := exec.Command("sh", "-c", "true").Run(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUserOutput writes the output of a real program to all logs. The
// sub-benchmark Pipe discards the output of the same program, for comparison.
func BenchmarkUserOutput(b *testing.B) {
	const size = 256 << 20
	c := benchConfig(b, 1)
	line := "epoch 12 step 3456 loss 0.1234 accuracy 0.987\n"
	text := []byte(strings.Repeat(line, (16<<20)/len(line)+1))[:16<<20]
	if err := os.WriteFile(filepath.Join(c.WorkDir, "text"), text, 0o644); err != nil {
		b.Fatal(err)
	}
	show := "cat" + strings.Repeat(" text", size/len(text))
	b.Run("logs", func(b *testing.B) {
		c.Spec.Commands = []string{show}
		b.SetBytes(size)
		for b.Loop() {
			c.Attempt++
			if r := Run(context.Background(), c); r.Code != 0 {
				b.Fatalf("%+v", r)
			}
		}
	})
	b.Run("pipe", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			cmd := exec.Command("sh", "-c", show)
			cmd.Dir, cmd.Stdout = c.WorkDir, struct{ io.Writer }{io.Discard}
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func benchConfig(b *testing.B, tasks int) Config {
	dir := b.TempDir()
	spec := &runspec.Spec{
		Job: "alice~bench", Role: "worker", Commands: []string{"true"}, PortStart: 15000, PortEnd: 40000,
		Roles: []runspec.Role{{Name: "worker", Written: "worker", Tasks: tasks, Ports: []runspec.Port{{Label: "ssh", Count: 1}, {Label: "http", Count: 1}}}},
		Steps: []runspec.Step{{Address: "a", Plugin: "cmd", Callbacks: []runspec.Callback{on("taskStarts", "export A=1")}}},
	}
	table := &runspec.Hosts{}
	for i := range tasks {
		table.Tasks = append(table.Tasks, runspec.Host{Role: "worker", Index: i, HostIP: "10.0.0.1", Ports: map[string][]int{"ssh": {20000}, "http": {20001}}})
	}
	return Config{
		Spec: spec, PodUID: "uid", Environ: []string{"PATH=" + os.Getenv("PATH")}, WorkDir: dir, Now: time.Now,
		Root: filepath.Join(dir, "pai"), LogDir: filepath.Join(dir, "logs"), RecordFile: filepath.Join(dir, "record.json"),
		Barrier: tableBarrier{table}, Stdout: io.Discard, Stderr: io.Discard,
	}
}

// tableBarrier returns its table immediately.
type tableBarrier struct{ hosts *runspec.Hosts }

func (t tableBarrier) Wait(context.Context, runspec.Host) (*runspec.Hosts, error) {
	return t.hosts, nil
}
