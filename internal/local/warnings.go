// SPDX-License-Identifier: MPL-2.0

package local

import (
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Warnings returns the diagnostics for a job on the local machine. The diagnostics
// include the errors that Create would return. sources provides source ranges and
// may be nil. Warnings does not write anything.
func Warnings(job *resolve.Job, sources hclspec.SourceMap) hcl.Diagnostics {
	here := machine{gpus: countGPUs(), cpus: runtime.NumCPU(), memoryMB: memoryMB(), canMount: task.CanMount}
	return (&jobChecker{job, here, sources}).all()
}

// machine describes the resources of the local machine.
type machine struct {
	gpus, cpus, memoryMB int
	canMount             func() bool
}

// countGPUs returns the number of GPUs that the NVIDIA driver lists.
func countGPUs() int {
	found, err := filepath.Glob("/proc/driver/nvidia/gpus/*")
	if err != nil {
		return 0
	}
	return len(found)
}

// jobChecker collects the warnings for one job.
type jobChecker struct {
	job     *resolve.Job
	machine machine
	sources hclspec.SourceMap
}

func (c *jobChecker) all() hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, find := range []func() *hcl.Diagnostic{c.images, c.resources, c.packages} {
		if d := find(); d != nil {
			diags = append(diags, d)
		}
	}
	return append(diags, c.storages()...)
}

// at returns the source range of a task role's field, or of its nearest
// ancestor with a position.
func (c *jobChecker) at(role *resolve.TaskRole, field string) hcl.Range {
	if c.job.Declared == nil {
		return hcl.Range{}
	}
	if r := c.job.Declared.TaskRole(role.Name); r != nil {
		return c.sources.Range(r.Path.Attr(field))
	}
	return c.sources.Range(c.job.Declared.Path)
}

func (c *jobChecker) images() *hcl.Diagnostic {
	images := map[string]bool{}
	var where hcl.Range
	for _, role := range c.job.TaskRoles {
		if role.Image.URI == "" {
			continue
		}
		if len(images) == 0 {
			where = c.at(role, "image")
		}
		images[role.Image.URI] = true
	}
	if len(images) == 0 {
		return nil
	}
	return ImageIgnored.At(where,
		"The tasks of %s run as processes on this machine; %s %s not used.", c.job.Address, enumerate(images), quantity.Plural(len(images), "is", "are"))
}

func (c *jobChecker) resources() *hcl.Diagnostic {
	var gpu, cpu, memory int
	for _, role := range c.job.TaskRoles {
		gpu += role.GPU * role.Instances
		cpu += role.CPU * role.Instances
		memory += role.MemoryMB * role.Instances
	}
	var parts []string
	for _, r := range []struct {
		asked, has int
		unit       string
	}{{gpu, c.machine.gpus, quantity.Plural(gpu, "GPU", "GPUs")}, {cpu, c.machine.cpus, quantity.Plural(cpu, "processor", "processors")}, {memory, c.machine.memoryMB, "MiB of memory"}} {
		if r.asked > r.has {
			parts = append(parts, fmt.Sprintf("%d %s (this machine has %d)", r.asked, r.unit, r.has))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return ResourcesCapped.At(c.at(c.job.TaskRoles[0], "resources"),
		"All tasks of %s together request %s. The tasks share the available resources.", c.job.Address, strings.Join(parts, ", "))
}

func (c *jobChecker) packages() *hcl.Diagnostic {
	calls := map[string]bool{}
	var where hcl.Range
	for _, role := range c.job.TaskRoles {
		for _, command := range scripts(role) {
			for _, tool := range packageManagers(command) {
				if len(calls) == 0 {
					where = c.at(role, "commands")
				}
				calls[tool] = true
			}
		}
	}
	if len(calls) == 0 {
		return nil
	}
	return PackageManager.At(where,
		"Commands of %s call %s, which would change this machine instead of a container.", c.job.Address, enumerate(calls))
}

func scripts(role *resolve.TaskRole) []string {
	all := slices.Clone(role.Commands)
	for _, s := range role.Steps {
		for _, c := range s.Callbacks {
			all = append(all, c.Commands...)
		}
	}
	return all
}

// changers contains the package managers of Linux distributions.
var changers = []string{"apt", "apt-get", "apk", "dnf", "yum"}

// separators contains the characters that separate simple shell commands.
const separators = ";&|\n(){}"

// packageManagers returns the package managers that shell commands call. It skips
// variable assignments and words such as sudo or then. It does not parse any
// other shell syntax.
func packageManagers(commands string) []string {
	var found []string
	for _, simple := range strings.FieldsFunc(commands, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		for _, word := range strings.Fields(simple) {
			if word == "sudo" || word == "then" || word == "do" || word == "else" || word == "if" || strings.Contains(word, "=") {
				continue
			}
			for _, tool := range changers {
				if filepath.Base(word) == tool {
					found = append(found, tool)
				}
			}
			break
		}
	}
	return found
}

func enumerate(names map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(names)), ", ")
}

// WarningsWithoutMounts is like [Warnings], but assumes that the machine does not
// permit private mounts.
func WarningsWithoutMounts(job *resolve.Job, sources hclspec.SourceMap) hcl.Diagnostics {
	here := machine{cpus: runtime.NumCPU(), memoryMB: memoryMB(), canMount: func() bool { return false }}
	return (&jobChecker{job, here, sources}).all()
}
