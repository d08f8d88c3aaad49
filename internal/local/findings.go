package local

import (
	"fmt"
	"path/filepath"
	"runtime"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Warnings returns what the user should know before the job runs on this
// machine, each finding once per job; among them the errors that Create would
// fail with. Nothing is written.
func Warnings(job *resolve.Job) hcl.Diagnostics {
	return findings(job, machine{
		gpus: countGPUs(), cpus: runtime.NumCPU(), memoryMB: memoryMB(), canMount: CanMount,
	})
}

// machine is what a job can use here.
type machine struct {
	gpus, cpus, memoryMB int
	canMount             func() bool
}

// countGPUs counts the devices of the NVIDIA driver.
func countGPUs() int {
	found, err := filepath.Glob("/proc/driver/nvidia/gpus/*")
	if err != nil {
		return 0
	}
	return len(found)
}

func findings(job *resolve.Job, m machine) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, find := range []func(*resolve.Job, machine) hcl.Diagnostics{
		imageFinding, resourceFinding, sshFinding, packageFinding, storageFindings,
	} {
		diags = append(diags, find(job, m)...)
	}
	return diags
}

func imageFinding(job *resolve.Job, _ machine) hcl.Diagnostics {
	images := map[string]bool{}
	for _, role := range job.TaskRoles {
		if role.Image.URI != "" {
			images[role.Image.URI] = true
		}
	}
	if len(images) == 0 {
		return nil
	}
	return hcl.Diagnostics{hclspec.LocalImageIgnored.At(hcl.Range{},
		"The tasks of %s run as processes of this machine; %s %s not used.", job.Address, enumerate(images), plural(len(images), "is", "are"))}
}

func resourceFinding(job *resolve.Job, m machine) hcl.Diagnostics {
	var gpu, cpu, memory int
	for _, role := range job.TaskRoles {
		gpu += role.GPU * role.Instances
		cpu += role.CPU * role.Instances
		memory += role.MemoryMB * role.Instances
	}
	var parts []string
	for _, r := range []struct {
		asked, has int
		unit       string
	}{{gpu, m.gpus, "GPUs"}, {cpu, m.cpus, "processors"}, {memory, m.memoryMB, "MiB of memory"}} {
		if r.asked > r.has {
			parts = append(parts, fmt.Sprintf("%d %s (this machine has %d)", r.asked, r.unit, r.has))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return hcl.Diagnostics{hclspec.LocalResourcesCapped.At(hcl.Range{},
		"All tasks of %s together ask for %s. They get what is there.", job.Address, strings.Join(parts, ", "))}
}

func sshFinding(job *resolve.Job, _ machine) hcl.Diagnostics {
	roles := map[string]bool{}
	for _, role := range job.TaskRoles {
		for _, s := range role.Steps {
			if s.Plugin == contract.PluginSSH {
				roles[role.Name] = true
			}
		}
	}
	if len(roles) == 0 {
		return nil
	}
	return hcl.Diagnostics{hclspec.LocalSSHSkipped.At(hcl.Range{},
		"The ssh plugin of %s is skipped in %s %s.", job.Address, plural(len(roles), "task role", "task roles"), enumerate(roles))}
}

func packageFinding(job *resolve.Job, _ machine) hcl.Diagnostics {
	calls := map[string]bool{}
	eachScript(job, func(commands []string) {
		for _, c := range commands {
			for _, tool := range packageManagers(c) {
				calls[tool] = true
			}
		}
	})
	if len(calls) == 0 {
		return nil
	}
	return hcl.Diagnostics{hclspec.LocalPackageManager.At(hcl.Range{},
		"Commands of %s call %s, which would change this machine and not a container.", job.Address, enumerate(calls))}
}

// eachScript visits the commands of every role and callback.
func eachScript(job *resolve.Job, visit func([]string)) {
	for _, role := range job.TaskRoles {
		visit(role.Commands)
		for _, s := range role.Steps {
			for _, c := range s.Callbacks {
				visit(c.Commands)
			}
		}
	}
}

// changers are the package managers of distributions.
var changers = []string{"apt", "apt-get", "apk", "dnf", "yum"}

// separators end one simple command of a shell and begin the next.
const separators = ";&|\n(){}"

// packageManagers returns the package managers that a command line calls. It
// looks at the first word of each simple command, after variables and words
// such as sudo; it parses no shell.
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
	all := make([]string, 0, len(names))
	for n := range names {
		all = append(all, n)
	}
	sort.Strings(all)
	return strings.Join(all, ", ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
