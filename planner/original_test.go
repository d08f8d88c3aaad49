// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/tools/txtar"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/tools/golden"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestJobsRunLikeOnTheOriginal checks how tasks run for protocol features that
// implementations often interpret differently. The comment of an archive describes
// the behavior of OpenPAI. job.yaml is the job, and main.pai.hcl declares its
// cluster. task.txt contains the settings that determine how each task runs.
// diagnostics.txt contains the diagnostics. UPDATE=1 writes task.txt and
// diagnostics.txt.
func TestJobsRunLikeOnTheOriginal(t *testing.T) {
	golden.Archives(t, "testdata/original/*.txtar", func(_ *testing.T, all []txtar.File) []txtar.File {
		inputs := slices.DeleteFunc(slices.Clone(all), func(f txtar.File) bool { return filepath.Ext(f.Name) == ".txt" })
		return append(inputs, planned(inputs)...)
	})
}

// planned decodes, resolves and renders the job for the cluster in the
// archive.
func planned(inputs []txtar.File) []txtar.File {
	ws := &hclspec.Workspace{Sources: hclspec.SourceMap{}}
	var diags hcl.Diagnostics
	for _, f := range inputs {
		if strings.HasSuffix(f.Name, ".pai.hcl") {
			ws, diags = syntax.Decode(syntax.Input{Files: map[string][]byte{f.Name: f.Data}})
		}
	}
	for _, f := range inputs {
		if filepath.Ext(f.Name) != ".yaml" {
			continue
		}
		file, found := protocol.Parse(f.Name, f.Data)
		diags = append(diags, found...)
		if file == nil || file.Job == nil {
			continue
		}
		for path, at := range file.Sources {
			ws.Sources[path] = at
		}
		if len(ws.Clusters) > 0 {
			file.Job.Cluster = ws.Clusters[0].Name
		}
		ws.Jobs = append(ws.Jobs, file.Job)
	}
	var tasks strings.Builder
	if diags = append(diags, hclspec.Validate(ws)...); !diags.HasErrors() {
		jobs, found := resolve.All(resolve.Input{Workspace: ws, User: "alice"})
		if diags = append(diags, found...); !diags.HasErrors() {
			for _, job := range jobs {
				target := render.ClusterTarget(ws, job.Cluster)
				target.RuntimeImage = "runtime:1"
				manifest, found := render.Objects(job, target)
				diags = append(diags, found...)
				describeTasks(&tasks, job, manifest.Framework)
			}
		}
	}
	var files []txtar.File
	if tasks.Len() > 0 {
		files = append(files, txtar.File{Name: "task.txt", Data: []byte(tasks.String())})
	}
	if len(diags) > 0 {
		files = append(files, txtar.File{Name: "diagnostics.txt", Data: []byte(listed(hclspec.Sort(diags)))})
	}
	return files
}

// describeTasks writes the settings that determine how tasks run.
func describeTasks(b *strings.Builder, job *resolve.Job, f *framework.Framework) {
	for i, role := range f.Spec.TaskRoles {
		pod := role.Task.Pod
		container := pod.Spec.Containers[0]
		fmt.Fprintf(b, "task role %s: %d of %s\n", role.Name, role.TaskNumber, container.Image)
		fmt.Fprintf(b, "gang: %t\n", job.GangAllocation)
		fmt.Fprintf(b, "limits: %v\n", container.Resources.Limits)
		if pod.Spec.SchedulerName != "" {
			fmt.Fprintf(b, "scheduler: %s\n", pod.Spec.SchedulerName)
		}
		for _, key := range []string{"hivedscheduler.microsoft.com/pod-scheduling-spec"} {
			for line := range strings.Lines(pod.Metadata.Annotations[key]) {
				b.WriteString("  " + line)
			}
		}
		for _, e := range container.Env {
			fmt.Fprintf(b, "env: %s=%s%v\n", e.Name, e.Value, e.ValueFrom)
		}
		for _, m := range job.TaskRoles[i].Mounts {
			fmt.Fprintf(b, "mount: %s at %s\n", m.Storage, m.Path)
		}
		for _, line := range job.TaskRoles[i].Commands {
			fmt.Fprintf(b, "command: %q\n", line)
		}
	}
}

func listed(diags hcl.Diagnostics) string {
	var b strings.Builder
	for _, d := range diags {
		severity, at := "error", "?"
		if d.Severity == hcl.DiagWarning {
			severity = "warning"
		}
		if d.Subject != nil {
			at = d.Subject.String()
		}
		fmt.Fprintf(&b, "%s: %s %s: %s\n", at, severity, hclspec.Code(d), hclspec.Detail(d, phrase.Of))
	}
	return b.String()
}
