// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/runtime"
)

// Run runs one attempt of a task: the prerequisites' callbacks, then the user's
// commands. The record describes the result.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "task")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	role := runspec.Role{Name: "worker", Written: "worker", Tasks: 1}
	record := runtime.Run(context.Background(), runtime.Config{
		Spec: &runspec.Spec{
			Job: "alice~train", Role: role.Name, Roles: []runspec.Role{role}, PortStart: 15000, PortEnd: 40000,
			Steps: []runspec.Step{{Address: "prerequisite.script.env", Plugin: "cmd", Callbacks: []runspec.Callback{
				{Event: "taskStarts", Commands: []string{"export GREETING=hello"}},
			}}},
			Commands: []string{`echo "$GREETING from task $PAI_TASK_INDEX"`, "exit 3"},
		},
		PodUID: "1", Environ: []string{"PATH=" + os.Getenv("PATH")}, WorkDir: dir,
		Root: filepath.Join(dir, "pai"), LogDir: filepath.Join(dir, "logs"),
		Barrier: alone{}, Stdout: os.Stdout, Now: time.Now,
	})
	fmt.Println(record.UserCode, record.Reason)
	// Output:
	// hello from task 0
	// 3 the user's commands exited with code 3
}

// alone is the barrier for a job with one task.
type alone struct{}

func (alone) Wait(_ context.Context, self runspec.Host) (*runspec.Hosts, error) {
	return &runspec.Hosts{Tasks: []runspec.Host{self}}, nil
}
