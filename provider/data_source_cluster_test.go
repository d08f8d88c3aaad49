// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// TestTheStoragesOfAppliedJobsAreDeclared checks that the cluster check uses the
// storage blocks of applied jobs. The block of a storage determines which claim
// the job needs.
func TestTheStoragesOfAppliedJobsAreDeclared(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := newProvider("test")
	tf := serve(t, p, tree{"local": tree{"directory": dir, "user": "alice"}})
	t.Cleanup(func() { removeAll(t, dir) })
	s := tf.resource("openpai_storage")
	s.mustApply(tree{"name": "data", "host_path": "store"}, "create")
	use := []any{tree{"use": s.text("definition"), "mount_path": dir + "/mounted"}}
	tf.resource("openpai_job").mustApply(job([]string{"true"}, tree{"storage": use, "wait_for": "completed"}), "create")

	jobs, err := p.conn.jobs(t.Context())
	if err != nil || len(jobs) != 1 {
		t.Fatalf("%d jobs, %v", len(jobs), err)
	}
	mount := p.conn.declaredJob(jobs[0]).TaskRoles[0].Mounts[0]
	if mount.Storage != "data" || mount.Declared == nil || mount.Declared.HostPath != "store" {
		t.Errorf("%+v", mount)
	}
	for name, declaration := range map[string]string{"another front end": "", "another version": `{"name": "mnist", "task_roles": 7}`} {
		if got := p.conn.declaredJob(&planner.LiveJob{Applied: jobs[0].Applied, Declaration: []byte(declaration)}); got != jobs[0].Applied {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
