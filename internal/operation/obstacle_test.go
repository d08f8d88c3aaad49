// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// limited is a fake cluster whose user lacks permissions.
type limited struct {
	*fake
	missing []string
	asked   []string // addresses of the jobs
}

func (l *limited) MissingPermissions(_ context.Context, s cluster.Submission) ([]string, error) {
	l.asked = append(l.asked, s.Job.Name)
	return l.missing, nil
}

func TestMissingPermissionsOfCreatedJobsAreReported(t *testing.T) {
	t.Parallel()
	before, after := onGPU("a", "sleep 1"), onGPU("a", "sleep 2")
	finished := func(l *planner.LiveJob) { l.State = planner.StateSucceeded }
	again := func(j *resolve.Job) *resolve.Job { j.Rerun = "on_change"; return j }
	tests := map[string]struct {
		live    *planner.LiveJob
		job     *resolve.Job
		missing []string
		want    hcl.DiagnosticSeverity // 0: no diagnostic
		asked   bool
	}{
		"a new job":                         {nil, after, []string{"create roles"}, hcl.DiagWarning, true},
		"a new job with all permissions":    {nil, after, nil, 0, true},
		"a job that runs is replaced":       {live(before), after, []string{"create roles", "patch secrets"}, hcl.DiagError, true},
		"a job that is finished runs again": {live(before, finished), again(onGPU("a", "sleep 2")), []string{"create roles"}, hcl.DiagWarning, true},
		"an unchanged job":                  {live(after), after, []string{"create roles"}, 0, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &limited{fake: &fake{}, missing: tt.missing}
			if tt.live != nil {
				c.jobs = []*planner.LiveJob{tt.live}
			}
			plan, err := newOperation(c, onCluster).Plan(t.Context(), operation.Request{Jobs: []*resolve.Job{tt.job}})
			if err != nil {
				t.Fatal(err)
			}
			if asked := len(c.asked) > 0; asked != tt.asked {
				t.Errorf("asked: %v", asked)
			}
			found := slices.DeleteFunc(slices.Clone(plan.Diagnostics), func(d *hcl.Diagnostic) bool { return hclspec.Code(d) != operation.PermissionMissing.Code })
			switch {
			case tt.want == 0 && len(found) == 0:
			case len(found) != 1 || found[0].Severity != tt.want || !strings.Contains(found[0].Detail, "job.a cannot be created: you may not "+strings.Join(tt.missing, ", ")+"."):
				t.Errorf("diagnostics %v of %v", found, plan.Diagnostics)
			}
		})
	}
}

// TestAMissingPermissionIsReportedOnce checks for one warning for all new jobs.
// The replacement of a running job causes an error.
func TestAMissingPermissionIsReportedOnce(t *testing.T) {
	t.Parallel()
	c := &limited{fake: &fake{jobs: []*planner.LiveJob{live(onGPU("z", "sleep 1"))}}, missing: []string{"create roles"}}
	jobs := []*resolve.Job{onGPU("a1", "ls"), onGPU("a2", "ls"), onGPU("b", "ls"), onGPU("z", "sleep 2")}
	plan, err := newOperation(c, onCluster).Plan(t.Context(), operation.Request{Jobs: jobs})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]hcl.DiagnosticSeverity{}
	for _, d := range plan.Diagnostics {
		if hclspec.Code(d) == operation.PermissionMissing.Code {
			got[d.Detail] = d.Severity
		}
	}
	want := map[string]hcl.DiagnosticSeverity{
		"job.a1, job.a2, job.b cannot be created: you may not create roles.": hcl.DiagWarning,
		"job.z cannot be created: you may not create roles.":                 hcl.DiagError,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func onGPU(name, command string) *resolve.Job {
	job := newJob(name, command)
	job.Cluster, job.Declared = "gpu", &hclspec.Job{Path: hclspec.Path("job." + name)}
	return job
}
