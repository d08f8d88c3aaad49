// SPDX-License-Identifier: MPL-2.0

package local

import (
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// storedDone is the Framework name of a finished job in the stored state.
const storedDone = "384c9691a31840c77798297d71b79ff0"

// The status command reads the list of jobs and their statuses together. The result
// must match the results of Read and Status.
func TestJobsAreReadTogetherAsOneByOne(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(w *world, o store.Object) error
		state  planner.JobState // "" if the job does not exist
	}{
		"a finished job":            {func(*world, store.Object) error { return nil }, planner.StateSucceeded},
		"a job that has a record":   {func(_ *world, o store.Object) error { return o.RemoveFiles() }, planner.StateSucceeded},
		"a job without a record":    {func(w *world, o store.Object) error { return w.layout.RemoveRecord(o.Name) }, planner.StateSucceeded},
		"a job with a damaged file": {func(_ *world, o store.Object) error { return os.WriteFile(o.StatusFile(), []byte("{"), 0o600) }, planner.StateUnreadable},
		"a deleted job": {func(w *world, o store.Object) error {
			return errors.Join(o.RemoveFiles(), w.layout.RemoveRecord(o.Name))
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.unpackState()
			if err := c.change(w, w.layout.Object(storedDone)); err != nil {
				t.Fatal(err)
			}
			listed, err := w.Jobs(w.ctx, "before")
			read, errRead := w.Read(w.ctx, "before", nil)
			if err != nil || errRead != nil {
				t.Fatal(err, errRead)
			}
			if diff := cmp.Diff(read.Jobs, listed, cmpopts.IgnoreFields(planner.LiveJob{}, "Drift")); diff != "" {
				t.Errorf("jobs (-read +listed)\n%s", diff)
			}
			w.sameStatuses(append([]*planner.LiveJob{{Framework: "no name"}}, listed...))
			status, err := w.ListStatuses(w.ctx, []string{storedDone})
			if err != nil {
				t.Fatal(err)
			}
			st, err := status(w.ctx, storedDone)
			if c.state == "" && !errors.Is(err, cluster.ErrNotFound) || c.state != "" && (err != nil || st.State != c.state) {
				t.Errorf("status %+v, error %v", st, err)
			}
		})
	}
}

// sameStatuses fails the test if the results of ListStatuses and Status differ.
func (w *world) sameStatuses(jobs []*planner.LiveJob) {
	w.Helper()
	status, err := w.ListStatuses(w.ctx, nil)
	if err != nil {
		w.Fatal(err)
	}
	for _, j := range jobs {
		single, errSingle := w.Status(w.ctx, j.Framework)
		together, err := status(w.ctx, j.Framework)
		if (err == nil) != (errSingle == nil) || err != nil && err.Error() != errSingle.Error() {
			w.Errorf("%s: errors %v and %v", j.Framework, errSingle, err)
		}
		if diff := cmp.Diff(single, together); diff != "" {
			w.Errorf("%s (-single +together)\n%s", j.Framework, diff)
		}
	}
}

func TestTheWorkspacesOfTerraformAreListed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, by := range map[string]planner.Declarer{"mine": planner.DeclaredByCommandLine, "theirs": planner.DeclaredByTerraform} {
		job := newJob(name, newRole("worker", "true"))
		job.Workspace = name
		s := submission(job, nil)
		s.DeclaredBy = by
		if err := w.Create(w.ctx, s); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.TerraformWorkspaces(); !slices.Equal(got, []string{"theirs"}) {
		t.Errorf("%q", got)
	}
}
