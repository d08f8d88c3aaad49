// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/planfile"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// historian is a fake cluster with a plan history and a key for secret
// versions.
type historian struct {
	fake
	plans cluster.AppliedPlans
	// counters contains the last run numbers; nil means that no numbers are
	// stored.
	counters *history.Counters
	fail     error
	key      string
}

func (h *historian) Read(context.Context, string, []string) (*planner.Snapshot, error) {
	return &planner.Snapshot{Jobs: h.jobs, SecretKey: keyOf(h.key)}, nil
}

func keyOf(text string) []byte {
	if text == "" {
		return nil
	}
	return []byte(text)
}

func (h *historian) Counters(context.Context, string) (*history.Counters, error) {
	if h.counters == nil {
		return &history.Counters{}, nil
	}
	return h.counters, nil
}

func (h *historian) AppliedPlans(context.Context, string) (cluster.AppliedPlans, error) {
	return h.plans, nil
}

func (h *historian) KeepPlan(_ context.Context, _, id string, p cluster.AppliedPlan) error {
	h.record("keep")
	h.plans = h.plans.With(id, p)
	return nil
}

func (h *historian) ForgetPlans(_ context.Context, _, incarnation string) error {
	h.record("forget")
	if !h.plans.Empty() {
		h.plans = cluster.AppliedPlans{Incarnation: incarnation}
	}
	return nil
}

var _ cluster.PlanHistory = (*historian)(nil)

func (h *historian) Create(ctx context.Context, s cluster.Submission) error {
	if h.fail != nil {
		return h.fail
	}
	return h.fake.Create(ctx, s)
}

var savedAt = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// saving is a workspace for tests that save and apply a plan.
type saving struct {
	t       *testing.T
	cluster *historian
	jobs    []*resolve.Job
	moved   []*hclspec.Moved
	inputs  map[string]string
	secret  string
	missing error // the reason why the secret has no value
	path    string
	at      time.Time
	version string
}

func newSaving(t *testing.T, jobs ...*resolve.Job) *saving {
	return &saving{
		t: t, cluster: &historian{key: "key"}, jobs: jobs, inputs: map[string]string{"main.pai.hcl": "a"}, secret: "value-one",
		path: filepath.Join(t.TempDir(), "plan"), at: savedAt, version: "1.0.0",
	}
}

func (s *saving) plan() (*operation.Operation, *operation.Plan) {
	s.t.Helper()
	o := newOperation(s.cluster, func(o *operation.Options) {
		o.Workspace.Moved = s.moved
		o.Secret = func(*hclspec.Secret) (string, error) { return s.secret, s.missing }
	})
	p, err := o.Plan(s.t.Context(), operation.Request{Jobs: s.jobs})
	if err != nil || p.Diagnostics.HasErrors() {
		s.t.Fatal(err, p.Diagnostics)
	}
	return o, p
}

func (s *saving) save() {
	s.t.Helper()
	o, p := s.plan()
	if err := o.Save(s.t.Context(), p, operation.SaveOptions{Path: s.path, Version: s.version, Now: savedAt, Lifetime: time.Hour, Inputs: s.inputs}); err != nil {
		s.t.Fatal(err)
	}
}

// apply returns the code and detail of the error, or "" if the plan was
// applied.
func (s *saving) apply() (code, detail string) {
	s.t.Helper()
	saved, diags, err := operation.OpenSaved(s.path, s.version, s.at)
	if err != nil {
		s.t.Fatal(err)
	}
	if len(diags) > 0 {
		return hclspec.Code(diags[0]), diags[0].Detail
	}
	o, p := s.plan()
	err = o.ApplySaved(s.t.Context(), saved, p, s.inputs, s.at, operation.ApplyOptions{})
	var refused *operation.Refused
	switch {
	case errors.As(err, &refused):
		return hclspec.Code(refused.Diagnostics[0]), hclspec.Detail(refused.Diagnostics[0], phrase.Of)
	case err != nil:
		return err.Error(), ""
	}
	return "", ""
}

// TestStaleSavedPlanIsRejected checks which changes between plan and apply
// are accepted. All other changes cause a diagnostic.
func TestStaleSavedPlanIsRejected(t *testing.T) {
	t.Parallel()
	wanted, other := newJob("mnist", "python train.py"), newJob("mnist", "python old.py")
	withSecret := newJob("mnist", "python train.py")
	withSecret.Secrets = []*resolve.Secret{{Name: "token", Declared: &hclspec.Secret{Name: "token"}}}
	tests := map[string]struct {
		job           *resolve.Job
		before, after *planner.LiveJob
		noKey         bool
		change        func(*saving)
		want, reason  string
	}{
		"nothing changed": {job: wanted},
		"another user created the job": {
			job: wanted, after: live(wanted), want: "saved-plan-stale", reason: "job.mnist was not submitted yet and is running now; job.mnist was to be created, but would now be left alone",
		},
		"another apply was interrupted before it started the job": {
			job: wanted, after: live(wanted, waiting, func(j *planner.LiveJob) { j.Unstarted = true }), want: "saved-plan-stale",
			reason: "job.mnist was not submitted yet and is submitted but not started now; job.mnist would still be created, for a different reason: an interrupted apply did not start the job (in the saved plan: not on the cluster yet)",
		},
		"a job that is replaced disappeared without an outcome": {
			job: wanted, before: live(other), after: live(other, func(j *planner.LiveJob) { j.UID, j.Present = "", false }), want: "saved-plan-stale",
			reason: "job.mnist was running and is gone now; job.mnist was to be replaced, but would now be created",
		},
		"a job that is replaced runs now": {
			job: wanted, before: live(other, waiting), after: live(other), want: "saved-plan-stale",
		},
		"an unchanged job is running now": {job: other, before: live(other, waiting), after: live(other)},
		"a job that is replaced runs with fewer tasks": {
			job: wanted, before: live(other, running(9)), after: live(other, running(1)),
		},
		"a job that is replaced runs with more tasks": {
			job: wanted, before: live(other, running(1)), after: live(other, running(9)), want: "saved-plan-stale", reason: "9 running tasks of job.mnist would end now, but the plan shows 1",
		},
		"fewer ended tasks are forged": {
			job: wanted, before: live(other, running(9)), change: edited(`"Tasks":9`, `"Tasks":0`, true), want: "saved-plan-stale", reason: "but the plan shows 0",
		},
		"fewer tasks are forged in the sums": {
			job: wanted, change: edited(`"tasks":1`, `"tasks":0`, true), want: "saved-plan-tampered", reason: "a new plan has different resources or images",
		},
		"a job that is replaced has ended": {
			job: wanted, before: live(other), after: live(other, ended), want: "saved-plan-stale", reason: "job.mnist was running and is finished now; job.mnist was to be replaced, but would now be left alone",
		},
		"a job that is replaced was stopped": {
			job: wanted, before: live(other), after: live(other, stopped), want: "saved-plan-stale", reason: "job.mnist was running and is stopped now; job.mnist was to be replaced",
		},
		"an unchanged job has another run": {
			job: wanted, before: live(wanted), after: live(other), want: "saved-plan-stale", reason: "job.mnist is no longer the job that was planned; job.mnist was to be left alone, but would now be replaced",
		},
		"an unchanged job was submitted again": {
			job: other, before: live(other), after: live(other, func(j *planner.LiveJob) { j.UID = "2" }), want: "saved-plan-stale", reason: "job.mnist is no longer the job that was planned",
		},
		"only the record of an unchanged job remains": {
			job: other, before: live(other, ended), after: live(other, ended, func(j *planner.LiveJob) { j.UID, j.Present = "", false }),
		},
		"a job that is replaced no longer exists": {
			job: wanted, before: live(other), change: func(s *saving) { s.cluster.jobs = nil }, want: "saved-plan-stale",
			reason: "job.mnist no longer exists; job.mnist was to be replaced, but would now be created",
		},
		"a replaced job has another run": {
			job: wanted, before: live(other), after: live(other, func(j *planner.LiveJob) { j.UID = "2" }), want: "saved-plan-stale", reason: "job.mnist is no longer the job that was planned",
		},
		"a file changed": {
			job: wanted, change: func(s *saving) { s.inputs = map[string]string{"main.pai.hcl": "b", "new.pai.hcl": "c"} },
			want: "saved-plan-stale", reason: "main.pai.hcl has changed; new.pai.hcl is new",
		},
		"a secret changed": {
			job: withSecret, change: func(s *saving) { s.secret = "value-two" }, want: "saved-plan-secret", reason: `The secret "token" of job.mnist has a new value`,
		},
		"a secret changed in a workspace without a key": {
			job: withSecret, noKey: true, change: func(s *saving) { s.secret = "value-two" }, want: "saved-plan-secret", reason: `The secret "token" has a new value`,
		},
		"a secret is missing": {
			job: withSecret, change: func(s *saving) { s.missing = errors.New("TOKEN is not set") }, want: "secret-unavailable", reason: `job.mnist cannot be created without the value of the secret "token": TOKEN is not set`,
		},
		"a job is replaced because of a secret that is missing now": {
			job: withSecret, before: live(withSecret, func(j *planner.LiveJob) { j.SecretVersions = map[string]string{"token": "hmac:old"} }),
			change: func(s *saving) { s.missing = errors.New("TOKEN is not set") }, want: "secret-unavailable", reason: "TOKEN is not set",
		},
		"a secret is missing in a workspace without a key": {
			job: withSecret, noKey: true, change: func(s *saving) { s.missing = errors.New("TOKEN is not set") },
			want: "secret-unavailable", reason: `job.mnist cannot be created without the value of the secret "token": TOKEN is not set`,
		},
		"a secret remained in a workspace without a key": {job: withSecret, noKey: true},
		"secrets cannot be compared after all jobs were destroyed": {
			job: withSecret, change: func(s *saving) { s.cluster.key = "another" }, want: "saved-plan-stale", reason: "the jobs on cluster local were destroyed",
		},
		"expired":         {job: wanted, change: func(s *saving) { s.at = savedAt.Add(2 * time.Hour) }, want: "saved-plan-expired"},
		"another version": {job: wanted, change: func(s *saving) { s.version = "1.0.1" }, want: "saved-plan-version", reason: "but this is version 1.0.1"},
		"a byte changed":  {job: wanted, change: edited(`"w"`, `"x"`, false), want: "saved-plan-tampered", reason: "was changed after it was saved: its content does not match the checksum"},
		"forged with a checksum": {
			job: wanted, change: edited("train.py", "steal.py", true), want: "saved-plan-tampered", reason: `a new plan differs from the saved plan: job.mnist would still be created, with a different value of task_role["worker"].commands[0]. Someone changed the saved plan`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSaving(t, tt.job)
			if tt.noKey {
				s.cluster.key = ""
			}
			s.cluster.jobs = jobs(tt.before)
			s.save()
			if tt.after != nil {
				s.cluster.jobs = jobs(tt.after)
			}
			if tt.change != nil {
				tt.change(s)
			}
			code, detail := s.apply()
			if code != tt.want || !strings.Contains(detail, tt.reason) {
				t.Errorf("refused with %q: %s", code, detail)
			}
			if tt.want != "" && len(s.cluster.calls) > 0 {
				t.Errorf("a rejected plan made the calls %v", s.cluster.calls)
			}
		})
	}
}

// edited returns a function that changes a saved plan. forged controls
// whether the function also updates the checksum.
func edited(from, to string, forged bool) func(*saving) {
	return func(s *saving) {
		text, err := os.ReadFile(s.path)
		if err != nil {
			s.t.Fatal(err)
		}
		changed := strings.ReplaceAll(string(text), from, to)
		if changed == string(text) {
			changed += " "
		}
		if err := os.WriteFile(s.path, []byte(changed), 0o600); err != nil {
			s.t.Fatal(err)
		}
		if forged {
			_, body, _ := strings.Cut(changed, "\n")
			if err := os.Remove(s.path); err != nil {
				s.t.Fatal(err)
			}
			if err := planfile.Write(s.path, planfile.File{Version: s.version, Body: []byte(body)}); err != nil {
				s.t.Fatal(err)
			}
		}
	}
}

// TestSavedPlanIsAppliedOnce checks two applies. The cluster is still empty
// after the first apply.
func TestSavedPlanIsAppliedOnce(t *testing.T) {
	t.Parallel()
	s := newSaving(t, newJob("mnist", "ls"))
	s.save()
	if code, detail := s.apply(); code != "" {
		t.Fatal(code, detail)
	}
	if diff := cmp.Diff([]string{"keep", "create mnist", "keep"}, s.cluster.calls); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s.cluster.calls = nil
	if code, _ := s.apply(); code != "saved-plan-applied" || len(s.cluster.calls) > 0 {
		t.Errorf("again: %q after %v", code, s.cluster.calls)
	}
}

// TestAKilledApplyIsResumed checks that a second apply accepts only changes
// by the killed apply.
func TestAKilledApplyIsResumed(t *testing.T) {
	t.Parallel()
	a, b, other := newJob("a", "ls"), newJob("b", "ls"), newJob("a", "date")
	tests := map[string]struct {
		remaining []*planner.LiveJob
		want      []string // expected calls
		code      string
	}{
		"one job was submitted":              {jobs(live(a)), []string{"keep", "create b", "keep"}, ""},
		"a submitted job has no supervisor":  {jobs(live(a, unsupervised)), []string{"keep", "update a", "create b", "keep"}, ""},
		"another user submitted another job": {jobs(live(other)), nil, "saved-plan-stale"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSaving(t, a, b)
			s.save()
			s.cluster.fail = errors.New("killed")
			if code, _ := s.apply(); !strings.Contains(code, "killed") {
				t.Fatal(code)
			}
			s.cluster.fail, s.cluster.calls, s.cluster.jobs = nil, nil, tt.remaining
			code, detail := s.apply()
			slices.Sort(tt.want)
			slices.Sort(s.cluster.calls) // jobs are independent
			if diff := cmp.Diff(tt.want, s.cluster.calls); diff != "" || code != tt.code {
				t.Errorf("%s %s (-want +got):\n%s", code, detail, diff)
			}
		})
	}
}

func TestOtherWorkspaceIsRefused(t *testing.T) {
	t.Parallel()
	s := newSaving(t, newJob("mnist", "ls"))
	s.save()
	saved, _, err := operation.OpenSaved(s.path, s.version, s.at)
	if err != nil {
		t.Fatal(err)
	}
	var refused *operation.Refused
	if err := saved.CheckWorkspace("theirs"); !errors.As(err, &refused) || hclspec.Code(refused.Diagnostics[0]) != "saved-plan-workspace" {
		t.Errorf("error %v", err)
	}
	if err := saved.CheckWorkspace("ws"); err != nil {
		t.Error(err)
	}
}
