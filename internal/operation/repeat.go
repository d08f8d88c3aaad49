// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/locator"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Unrepeatable is the error for a run that cannot be submitted again.
type Unrepeatable struct {
	Run      string
	Problems []string
}

func (e *Unrepeatable) Error() string {
	return fmt.Sprintf("cannot repeat %s: %s", e.Run, strings.Join(e.Problems, "; "))
}

// Recall returns the job of a run for the user who repeats the run. The workspace
// provides the parts that a record does not contain: the values of secrets, the
// storages and the cluster. If a part is missing, the error is an [Unrepeatable].
func (o *Operation) Recall(r RecordedRun, user string) (*resolve.Job, error) {
	job, err := r.Resolved()
	if err != nil {
		return nil, err
	}
	if job == nil {
		return nil, &Unrepeatable{r.Reference(), []string{"the record does not contain the job"}}
	}
	ws := o.options.Workspace
	if c := ws.Cluster(job.Cluster); c != nil {
		user = cmp.Or(c.User, user)
	}
	job.Address, job.Workspace, job.User, job.Framework = r.Address, ws.Name, user, contract.FrameworkName(user, job.Name)
	var problems []string
	if job.Cluster != resolve.LocalCluster && ws.Cluster(job.Cluster) == nil {
		problems = append(problems, fmt.Sprintf("the cluster %q is no longer declared", job.Cluster))
	}
	for _, s := range job.Secrets {
		if s.Declared = resolve.FindSecret(ws, job.Address, s.Name); s.Declared == nil {
			problems = append(problems, fmt.Sprintf("the secret %q is no longer declared", s.Name))
		}
	}
	pin(job, r.Run)
	for _, role := range job.TaskRoles {
		for _, m := range role.Mounts {
			m.Declared = resolve.FindStorage(ws, job.Address, m.Storage)
			if m.Declared == nil && job.Cluster == resolve.LocalCluster {
				problems = append(problems, fmt.Sprintf("the storage %q is no longer declared", m.Storage))
			}
		}
	}
	if len(problems) > 0 {
		return nil, &Unrepeatable{r.Reference(), slices.Compact(problems)}
	}
	return job, nil
}

// pin copies image digests and git commits from the record to the job. Only the
// record contains them. The pins do not change the hash of the job.
func pin(job *resolve.Job, r *history.Run) {
	for _, role := range job.TaskRoles {
		for _, i := range r.Images {
			if i.TaskRole == role.Name && i.URI == role.Image.URI {
				role.Image.Digest = i.Digest
			}
		}
		for _, step := range role.Steps {
			step.Commits = commits(step, r.Data)
		}
	}
}

func commits(step *resolve.Step, data []history.Data) map[string]string {
	all := map[string]string{}
	for _, f := range step.Fetch {
		for _, d := range data {
			if d.Prerequisite == step.Address && d.URL == f.URL && locator.IsCommit(d.Commit) {
				all[f.URL] = d.Commit
			}
		}
	}
	return all
}

// Unpinned lists the inputs of a run that its record does not pin. A repeated run may
// receive different content for these inputs.
func (r RecordedRun) Unpinned() []string {
	var all []string
	for _, i := range r.Images {
		if i.Digest == "" && r.Cluster != resolve.LocalCluster {
			all = append(all, fmt.Sprintf("image %s of task role %s has no digest", i.URI, i.TaskRole))
		}
	}
	for _, d := range r.Data {
		if d.SHA256 == "" && d.Commit == "" {
			all = append(all, fmt.Sprintf("download %s of %s has no hash", d.URL, d.Prerequisite))
		}
	}
	return all
}

// Unavailable returns diagnostics for secret values that an apply cannot read.
func (o *Operation) Unavailable(p *Plan) hcl.Diagnostics {
	return secretDiagnostics(o.secretLacks(p, submissionsOf(p)), "")
}
