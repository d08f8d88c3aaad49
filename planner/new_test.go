// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// story formats each change: address, action, reason, impact.
func story(p *planner.Plan) []string {
	var all []string
	for _, c := range p.Changes {
		parts := []string{string(c.Action), string(c.Address) + ": " + view.Reason(c.Reason)}
		if !c.Impact.None() {
			parts = append(parts, "("+view.Impact(c.Impact)+")")
		}
		if c.Outdated {
			parts = append(parts, "[outdated]")
		}
		all = append(all, strings.Join(parts, " "))
	}
	for _, a := range p.Elsewhere {
		all = append(all, "elsewhere: "+a.String())
	}
	for _, f := range p.Diagnostics {
		all = append(all, hclspec.Code(f)+": "+hclspec.Detail(f, phrase.Of))
	}
	return all
}

func TestEachJobHasAnActionAndItsReason(t *testing.T) {
	t.Parallel()
	mnist := newJob("mnist")
	changed := newJob("mnist", withCommands("echo one", "echo 2", "echo three"))
	onChange := func(j *resolve.Job) { j.Rerun = "on_change" }
	prevent := func(j *resolve.Job) { j.PreventDestroy = true }
	described := newJob("mnist", func(j *resolve.Job) { j.Description = "new words" })
	single := func(j *resolve.Job) { j.GangAllocation = false }
	inPlace := func(j *resolve.Job) { j.Rescale = "in_place" }
	moved := []*hclspec.Moved{{From: "job.old", To: "job.mnist"}}
	key := []byte("key")
	version := func(value string) string {
		return planner.SecretVersion(key, &resolve.Secret{Name: "token"}, value)
	}
	tests := map[string]struct {
		options planner.Options
		want    []string
	}{
		"a job that the cluster does not have is created": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has()},
			[]string{"create job.mnist: not on the cluster yet"},
		},
		"a running job does not change if its content is the applied content": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist))},
			[]string{"no-op job.mnist: running, up to date"},
		},
		"a job that another front end declares does not change": {
			planner.Options{Jobs: []*resolve.Job{changed}, Live: has(newLive(mnist, declaredBy(planner.DeclaredByTerraform))), Declarer: planner.DeclaredByCommandLine},
			[]string{"no-op job.mnist: declared by Terraform with different content"},
		},
		"a job that another front end declares with the same content": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist, declaredBy(planner.DeclaredByTerraform))), Declarer: planner.DeclaredByCommandLine},
			[]string{"no-op job.mnist: declared by Terraform"},
		},
		"a job that only another front end declares is not deleted": {
			planner.Options{Live: has(newLive(mnist, declaredBy(planner.DeclaredByTerraform))), Declarer: planner.DeclaredByCommandLine, Destroy: true},
			[]string{"elsewhere: job.mnist"},
		},
		"a job of the front end that plans is deleted": {
			planner.Options{Live: has(newLive(mnist, declaredBy(planner.DeclaredByTerraform))), Declarer: planner.DeclaredByTerraform, Destroy: true},
			[]string{"delete job.mnist: destroy requested (2 running tasks end)"},
		},
		"a job without a declarer belongs to the front end that plans": {
			planner.Options{Live: has(newLive(mnist)), Declarer: planner.DeclaredByCommandLine, Destroy: true},
			[]string{"delete job.mnist: destroy requested (2 running tasks end)"},
		},
		"a changed command replaces a running job, and the plan shows the lost work": {
			planner.Options{Jobs: []*resolve.Job{changed}, Live: has(newLive(mnist))},
			[]string{"replace job.mnist: the declaration changed (2 running tasks end)"},
		},
		"the deletion of a waiting job": {
			planner.Options{Live: has(newLive(mnist, inState(planner.StateWaiting)))},
			[]string{"delete job.mnist: no longer declared (no task is running yet; the job never starts)"},
		},
		"a waiting job that is replaced waits again": {
			planner.Options{Jobs: []*resolve.Job{changed}, Live: has(newLive(mnist, inState(planner.StateWaiting)))},
			[]string{"replace job.mnist: the declaration changed (no task is running yet; the job waits again)"},
		},
		"a new description is patched": {
			planner.Options{Jobs: []*resolve.Job{described}, Live: has(newLive(mnist))},
			[]string{"update job.mnist: changed only in comments or in settings that do not affect tasks"},
		},
		"a gang is replaced when its task count changes": {
			planner.Options{Jobs: []*resolve.Job{newJob("mnist", withInstances(4))}, Live: has(newLive(mnist))},
			[]string{"replace job.mnist: the declaration changed (2 running tasks end)"},
		},
		"without a gang the task count changes in place": {
			planner.Options{Jobs: []*resolve.Job{newJob("mnist", single, withInstances(4))}, Live: has(newLive(newJob("mnist", single)))},
			[]string{"update job.mnist: changed in place (2 tasks of worker are added; the others continue)"},
		},
		"a gang with rescale in_place shrinks in place": {
			planner.Options{Jobs: []*resolve.Job{newJob("mnist", inPlace, withInstances(1))}, Live: has(newLive(newJob("mnist", inPlace)))},
			[]string{"update job.mnist: changed in place (1 task of worker ends; the others continue)"},
		},
		"the retry policy changes in place": {
			planner.Options{Jobs: []*resolve.Job{newJob("mnist", func(j *resolve.Job) { j.JobRetryCount = 3 })}, Live: has(newLive(mnist))},
			[]string{"update job.mnist: changed in place"},
		},
		"a job that succeeded is not run again": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist, inState(planner.StateSucceeded)))},
			[]string{"no-op job.mnist: already succeeded"},
		},
		"a job with only a record has succeeded": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist, inState(planner.StateSucceeded), recordOnly, withoutValues))},
			[]string{"no-op job.mnist: already succeeded"},
		},
		"a failed job is not run again": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist, exited(7)))},
			[]string{"no-op job.mnist: failed with exit code 7"},
		},
		"a finished job that changed is outdated": {
			planner.Options{Jobs: []*resolve.Job{changed}, Live: has(newLive(mnist, inState(planner.StateSucceeded)))},
			[]string{"no-op job.mnist: outdated: succeeded, and the declaration changed since [outdated]"},
		},
		"a finished job with a new description is not outdated": {
			planner.Options{Jobs: []*resolve.Job{described}, Live: has(newLive(mnist, inState(planner.StateSucceeded)))},
			[]string{"no-op job.mnist: already succeeded"},
		},
		"rerun = on_change replaces an outdated job": {
			planner.Options{Jobs: []*resolve.Job{newJob("mnist", onChange, withCommands("ls"))}, Live: has(newLive(newJob("mnist", onChange), inState(planner.StateSucceeded)))},
			[]string{`replace job.mnist: succeeded, and the declaration changed (rerun = "on_change")`},
		},
		"rerun = on_change does not change a job with the applied content": {
			planner.Options{Jobs: []*resolve.Job{newJob("mnist", onChange)}, Live: has(newLive(newJob("mnist", onChange), inState(planner.StateStopped)))},
			[]string{"no-op job.mnist: stopped"},
		},
		"a requested rerun replaces a finished job": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist, exited(7))), Rerun: []hclspec.Address{"job.mnist"}},
			[]string{"replace job.mnist: rerun requested"},
		},
		"a finished job repeats a run": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist, exited(7))), RepeatOf: map[hclspec.Address]int{"job.mnist": 2}},
			[]string{"replace job.mnist: repeats run 2"},
		},
		"a job that no longer exists repeats a run": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(), RepeatOf: map[hclspec.Address]int{"job.mnist": 2}},
			[]string{"create job.mnist: not on the cluster yet, repeats run 2"},
		},
		"a rerun of a running job has no effect": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist)), Rerun: []hclspec.Address{"job.mnist"}},
			[]string{"no-op job.mnist: running, up to date"},
		},
		"a requested replacement ends a job that has not changed": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist)), Replace: []hclspec.Address{"job.mnist"}},
			[]string{"replace job.mnist: replacement requested (2 running tasks end)"},
		},
		"a requested replacement of a job that no longer exists creates the job": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist, recordOnly)), Replace: []hclspec.Address{"job.mnist"}},
			[]string{"create job.mnist: gone, last seen running"},
		},
		"a job that no longer exists is created again": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist, recordOnly))},
			[]string{"create job.mnist: gone, last seen running"},
		},
		"a job whose end was not observed is finished": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist, recordOnly, inState(planner.StateUnknown)))},
			[]string{"no-op job.mnist: ended with an unknown outcome"},
		},
		"apply continues an interrupted apply": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist, inState(planner.StateWaiting), func(l *planner.LiveJob) { l.Unstarted = true }))},
			[]string{"create job.mnist: an interrupted apply did not start the job"},
		},
		"an apply replaces a job after an interrupted apply of other content": {
			planner.Options{Jobs: []*resolve.Job{changed}, Live: has(newLive(mnist, inState(planner.StateWaiting), func(l *planner.LiveJob) { l.Unstarted = true }))},
			[]string{"replace job.mnist: an interrupted apply sent different content"},
		},
		"a job that is no longer declared is deleted, after all other changes": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(newJob("a")), newLive(mnist))},
			[]string{"no-op job.mnist: running, up to date", "delete job.a: no longer declared (2 running tasks end)"},
		},
		"a running repetition that is no longer declared continues": {
			planner.Options{Live: has(newLive(mnist, repeats(7, 2)))},
			[]string{"no-op job.mnist: run 7 repeats run 2 and differs from the files"},
		},
		"a finished repetition that is no longer declared is deleted": {
			planner.Options{Live: has(newLive(mnist, repeats(7, 2), exited(0)))},
			[]string{"delete job.mnist: no longer declared"},
		},
		"destroy deletes a running repetition": {
			planner.Options{Live: has(newLive(mnist, repeats(7, 2))), Destroy: true},
			[]string{"delete job.mnist: destroy requested (2 running tasks end)"},
		},
		"the record of a finished job that is no longer declared is deleted": {
			planner.Options{Live: has(newLive(mnist, inState(planner.StateSucceeded), recordOnly))},
			[]string{"delete job.mnist: no longer declared (no task runs; the job's record is deleted)"},
		},
		"destroy deletes declared jobs": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist)), Destroy: true},
			[]string{"delete job.mnist: destroy requested (2 running tasks end)"},
		},
		"jobs of other workspaces are not deleted": {
			planner.Options{Live: has(newLive(mnist, func(l *planner.LiveJob) { l.Workspace = "theirs" }))},
			nil,
		},
		"a job of another workspace is an error": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist, func(l *planner.LiveJob) { l.Workspace = "theirs" }))},
			[]string{`foreign-job: The cluster local already has the job "mnist" of the user "alice", created by the workspace "theirs". Rename this job, or adopt the existing job with: openpai adopt job.mnist`},
		},
		"a job that an OpenPAI server created is an error": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist, func(l *planner.LiveJob) { l.Owner, l.Workspace = "the OpenPAI rest-server", "" }))},
			[]string{`foreign-job: The cluster local already has the job "mnist" of the user "alice", created by the OpenPAI rest-server. Rename this job, or adopt the existing job with: openpai adopt job.mnist`},
		},
		"only the same user can adopt a job of Terraform": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist, declaredBy(planner.DeclaredByTerraform), func(l *planner.LiveJob) { l.User = "bob" })), Declarer: planner.DeclaredByCommandLine},
			[]string{`no-op job.mnist: declared by Terraform for the user "bob"; only that user can adopt it`},
		},
		"another user is an error, not a replacement": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist, func(l *planner.LiveJob) { l.User = "bob" }))},
			[]string{`other-user: job.mnist exists on the cluster local for the user "bob", but this configuration is for the user "alice". Use the same user, or destroy the job as bob first.`},
		},
		"prevent_destroy rejects a replacement": {
			planner.Options{Jobs: []*resolve.Job{newJob("mnist", prevent, withCommands("ls"))}, Live: has(newLive(newJob("mnist", prevent)))},
			[]string{
				"replace job.mnist: the declaration changed (2 running tasks end)",
				"destroy-prevented: The plan replaces job.mnist (the declaration changed), but the job sets prevent_destroy. Undo the change, or remove prevent_destroy first.",
			},
		},
		"prevent_destroy still applies after the declaration was removed": {
			planner.Options{Live: has(newLive(newJob("mnist", prevent), withoutValues))},
			[]string{
				"delete job.mnist: no longer declared (2 running tasks end)",
				"destroy-prevented: The plan deletes job.mnist (no longer declared), but the job was applied with prevent_destroy. Declare the job again without prevent_destroy, and run apply. Then remove the declaration.",
			},
		},
		"a finished job without prevent_destroy is updated, so that it can be deleted": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(newJob("mnist", prevent), inState(planner.StateSucceeded)))},
			[]string{"update job.mnist: changed only in comments or in settings that do not affect tasks"},
		},
		"a moved job keeps running": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(newJob("old"))), Moved: moved},
			[]string{"update job.mnist: moved from job.old"},
		},
		"a moved job that is still declared is an error": {
			planner.Options{Jobs: []*resolve.Job{mnist, newJob("old")}, Live: has(newLive(newJob("old"))), Moved: moved},
			[]string{
				"create job.mnist: not on the cluster yet", "no-op job.old: running, up to date",
				"moved-still-declared: job.old was moved to job.mnist, but job.old is still declared. Remove the old declaration, or the moved block.",
			},
		},
		"a new name replaces the job": {
			planner.Options{Jobs: []*resolve.Job{newJob("mnist", renamed("other"))}, Live: has(newLive(mnist))},
			[]string{"replace job.mnist: the declaration changed (2 running tasks end)"},
		},
		"a job that moved to another cluster is created on the new cluster and deleted on the old cluster": {
			planner.Options{Jobs: []*resolve.Job{newJob("mnist", func(j *resolve.Job) { j.Cluster = "gpu" })}, Live: map[string]*planner.Snapshot{"gpu": {}, "local": {Jobs: []*planner.LiveJob{newLive(mnist)}}}},
			[]string{"create job.mnist: not on the cluster yet", "delete job.mnist: now declared on the cluster gpu (2 running tasks end)"},
		},
		"two jobs with the same name are an error": {
			planner.Options{Jobs: []*resolve.Job{mnist, newJob("b", renamed("mnist"))}, Live: has(newLive(mnist), newLive(newJob("b", renamed("mnist"))))},
			[]string{
				"no-op job.mnist: running, up to date", "no-op job.b: running, up to date",
				`same-framework: job.mnist and job.b both declare the job "mnist" of the user "alice" on the cluster local. Rename one of them.`,
			},
		},
		"a new job cannot use the name that a moved job keeps": {
			planner.Options{Jobs: []*resolve.Job{mnist, newJob("b", renamed("old"))}, Live: has(newLive(newJob("old"))), Moved: moved},
			[]string{
				"update job.mnist: moved from job.old", "create job.b: not on the cluster yet",
				`same-framework: job.b would use the job name "old", but job.old already uses that name on the cluster local. Choose a different name for the new job.`,
			},
		},
		"targets limit the plan": {
			planner.Options{Jobs: []*resolve.Job{mnist, newJob("b")}, Live: has(newLive(newJob("c"))), Targets: []hclspec.Address{"job.b"}},
			[]string{"create job.b: not on the cluster yet"},
		},
		"an unknown target suggests the nearest address": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(), Targets: []hclspec.Address{"job.mnits"}},
			[]string{`unknown-plan-address: The address "job.mnits" does not exist in the workspace. Did you mean "job.mnist"?`},
		},
		"an unknown target without a near address lists the addresses": {
			planner.Options{Jobs: []*resolve.Job{mnist, newJob(`t["a"]`, renamed("ta"))}, Live: has(), Targets: []hclspec.Address{"job.zz"}},
			[]string{`unknown-plan-address: The address "job.zz" does not exist in the workspace. Existing addresses: job.mnist, job.t["a"].`},
		},
		"an unknown instance": {
			planner.Options{Jobs: []*resolve.Job{mnist, newJob(`t["a"]`, renamed("ta"))}, Live: has(), Targets: []hclspec.Address{`job.t["z"]`}},
			[]string{`unknown-plan-address: The address job.t["z"] does not exist in the workspace. Did you mean job.t["a"]?`},
		},
		"a storage as target selects the jobs that mount it": {
			planner.Options{Jobs: []*resolve.Job{mnist, newJob("b", withRole(func(r *resolve.TaskRole) { r.Mounts = []*resolve.Mount{{Storage: "nfs", Path: "/mnt/nfs"}} }))}, Live: has(), Targets: []hclspec.Address{"storage.nfs"}},
			[]string{"create job.b: not on the cluster yet"},
		},
		"a prerequisite as target selects the jobs that use it, with any variables": {
			planner.Options{Jobs: []*resolve.Job{mnist, newJob("b", withRole(func(r *resolve.TaskRole) {
				r.Steps = []*resolve.Step{{Address: `prerequisite.data.d{dir="x"}`, Name: "d"}}
			}))}, Live: has(), Targets: []hclspec.Address{"prerequisite.data.d"}},
			[]string{"create job.b: not on the cluster yet"},
		},
		"a target that is only a prefix of a name is unknown": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(), Targets: []hclspec.Address{"job.mni"}},
			[]string{`unknown-plan-address: The address "job.mni" does not exist in the workspace. Did you mean "job.mnist"?`},
		},
		"a target of for_each selects all instances": {
			planner.Options{Jobs: []*resolve.Job{newJob(`t["a"]`, renamed("ta")), newJob(`t["b"]`, renamed("tb")), newJob("tx")}, Live: has(), Targets: []hclspec.Address{"job.t"}},
			[]string{`create job.t["a"]: not on the cluster yet`, `create job.t["b"]: not on the cluster yet`},
		},
		"a changed secret replaces the job": {
			planner.Options{Jobs: []*resolve.Job{newJob("mnist", withSecret("token", ""))}, Live: has(newLive(newJob("mnist", withSecret("token", "")), applying(map[string]string{"token": version("first")}))), SecretValue: value("second")},
			[]string{"replace job.mnist: a secret changed (2 running tasks end)"},
		},
		"an unchanged secret changes nothing": {
			planner.Options{Jobs: []*resolve.Job{newJob("mnist", withSecret("token", ""))}, Live: has(newLive(newJob("mnist", withSecret("token", "")), applying(map[string]string{"token": version("first")}))), SecretValue: value("first")},
			[]string{"no-op job.mnist: running, up to date"},
		},
		"a secret whose value is not available changes nothing": {
			planner.Options{Jobs: []*resolve.Job{newJob("mnist", withSecret("token", ""))}, Live: has(newLive(newJob("mnist", withSecret("token", "")), applying(map[string]string{"token": version("first")})))},
			[]string{"no-op job.mnist: running, up to date"},
		},
		"a short secret causes one warning": {
			planner.Options{Jobs: []*resolve.Job{newJob("mnist", withSecret("token", ""))}, Live: has(), SecretValue: value("222")},
			[]string{
				"create job.mnist: not on the cluster yet",
				`short-secret: The value of the secret "token" has fewer than 4 characters, so the runtime does not mask the value in the logs of job.mnist.`,
			},
		},
		"a job without a record does not change": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Live: has(newLive(mnist, func(l *planner.LiveJob) { l.Hash, l.Fields, l.Applied = "", nil, nil }))},
			[]string{
				"no-op job.mnist: running, cannot be compared",
				"record-missing: job.mnist exists, but its applied content is unknown, so the plan does not change the job. Use --rerun job.mnist to replace it.",
			},
		},
		"a record of a later version is not compared": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Rerun: []hclspec.Address{"job.mnist"}, Live: has(newLive(changed, func(l *planner.LiveJob) { l.Hash = "h9:00" }))},
			[]string{"replace job.mnist: rerun requested (2 running tasks end)"},
		},
		"offline, no job is compared or deleted": {
			planner.Options{Jobs: []*resolve.Job{mnist}, Offline: true},
			[]string{"create job.mnist: offline: not compared with the cluster"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.options.Workspace = "ws"
			if diff := cmp.Diff(tt.want, story(planner.New(tt.options))); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}
