// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Check implements cluster.Checker. It ignores the jobs, because all jobs have
// the same requirements on the local machine.
func (c *Cluster) Check(context.Context, *hclspec.Workspace, []*resolve.Job) ([]cluster.CheckResult, error) {
	return []cluster.CheckResult{
		checkMachine(), c.checkDirectory(), checkShell(exec.LookPath), checkMounts(task.CanMount()),
	}, nil
}

func checkMachine() cluster.CheckResult {
	return cluster.CheckResult{
		Check: "machine", Result: cluster.ResultOK,
		Found: fmt.Sprintf("%d CPUs, %d GPUs, %d MiB of memory", runtime.NumCPU(), countGPUs(), memoryMB()),
	}
}

func (c *Cluster) checkDirectory() cluster.CheckResult {
	f := cluster.CheckResult{Check: "directory", Result: cluster.ResultOK, Found: c.dir}
	if info, err := os.Stat(c.dir); err != nil || !info.IsDir() {
		f.Result, f.Found = cluster.ResultMissing, c.dir+" is not a readable directory"
		f.Advice = message.Advice{Kind: message.AdviceDirectory}.Text()
	}
	return f
}

func checkShell(lookPath func(string) (string, error)) cluster.CheckResult {
	f := cluster.CheckResult{Check: "shell", Result: cluster.ResultOK}
	if path, err := lookPath("bash"); err == nil {
		f.Found = path
		return f
	}
	f.Result, f.Advice = cluster.ResultWarning, message.Advice{Kind: message.AdvicePreferBash}.Text()
	path, err := lookPath("sh")
	if f.Found = path; err != nil {
		f.Result, f.Found = cluster.ResultMissing, "neither bash nor sh is in PATH"
		f.Advice = message.Advice{Kind: message.AdviceInstallShell}.Text()
	}
	return f
}

func checkMounts(permitted bool) cluster.CheckResult {
	f := cluster.CheckResult{Check: "mounts", Result: cluster.ResultOK, Found: "storages are mounted at the paths that the jobs declare"}
	if !permitted {
		f.Result, f.Found = cluster.ResultWarning, "this user may not create mounts"
		f.Advice = message.Advice{Kind: message.AdviceNoMounts}.Text()
	}
	return f
}
