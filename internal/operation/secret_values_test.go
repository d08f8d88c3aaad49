// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// valueCluster is a fake cluster whose Kubernetes Secrets have values.
type valueCluster struct {
	historian
	values map[string]string // by NAME/KEY
	err    error
	reads  int
}

func (c *valueCluster) HasSecret(context.Context, string, string) (bool, error) { return true, c.err }

func (c *valueCluster) SecretValue(_ context.Context, name, key string) (string, error) {
	c.reads++
	value, ok := c.values[name+"/"+key]
	if c.err == nil && !ok {
		return "", cluster.NotFound("the Secret %s has no key %q", name, key)
	}
	return value, c.err
}

// fromSecret returns a job with the secret "token" from the Kubernetes Secret
// "s".
func fromSecret(name, key string) *resolve.Job {
	job := onGPU(name, "ls")
	declared := &hclspec.Secret{Name: "token", Kubernetes: &hclspec.SecretKey{Name: "s", Key: key}, Path: "secret.token"}
	job.Secrets = []*resolve.Secret{{Name: "token", Declared: declared}}
	return job
}

// appliedWith returns a running job with an applied secret value.
func appliedWith(job *resolve.Job, value string) *planner.LiveJob {
	return live(job, func(j *planner.LiveJob) {
		j.SecretVersions = map[string]string{"token": planner.SecretVersion([]byte("key"), job.Secrets[0], value)}
	})
}

func TestPlanComparesTheValuesOfKubernetesSecrets(t *testing.T) {
	t.Parallel()
	both := map[string]string{"s/one": "value-1", "s/two": "value-2", "s/same": "value-1"}
	forbidden := fmt.Errorf("get: %w", cluster.ErrForbidden)
	const unread = `You may not read the Kubernetes Secret s. The plan therefore does not show whether the secret "token" of job.a, job.b has a new value.`
	tests := map[string]struct {
		key, version string
		values       map[string]string
		err          error
		want         planner.SecretState
		warning      string
		reads        int
	}{
		"the same value":                          {"one", "", both, nil, planner.SecretUnchanged, "", 1},
		"a new value":                             {"one", "", map[string]string{"s/one": "value-3"}, nil, planner.SecretChanged, "", 1},
		"another key":                             {"two", "", both, nil, planner.SecretChanged, "", 1},
		"another key with the same value":         {"same", "", both, nil, planner.SecretChanged, "", 1},
		"a key that does not exist":               {"one", "", nil, nil, planner.SecretNotChecked, "", 1},
		"a Secret that may not be read":           {"one", "", both, forbidden, planner.SecretNotChecked, unread, 1},
		"a declared version, and a job that ends": {"one", "7", both, forbidden, planner.SecretChanged, "", 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &valueCluster{values: tt.values, err: tt.err, historian: historian{key: "key"}}
			jobs := []*resolve.Job{fromSecret("a", tt.key), fromSecret("b", tt.key)}
			jobs[1].Secrets = jobs[0].Secrets
			jobs[0].Secrets[0].Version = tt.version
			c.jobs = []*planner.LiveJob{appliedWith(fromSecret("a", "one"), "value-1"), appliedWith(fromSecret("b", "one"), "value-1")}
			plan, err := newOperation(c, onCluster).Plan(t.Context(), operation.Request{Jobs: jobs})
			if err != nil {
				t.Fatal(err)
			}
			warning := ""
			for _, d := range plan.Diagnostics {
				if hclspec.Code(d) == operation.SecretNotCompared.Code {
					warning += d.Detail
				}
			}
			if diff := cmp.Diff(tt.warning, warning); diff != "" {
				t.Errorf("warning (-want +got):\n%s", diff)
			}
			if got := plan.Changes[0].Secrets[0].State; got != tt.want || plan.Changes[1].Secrets[0].State != tt.want {
				t.Errorf("state %q, want %q", got, tt.want)
			}
			if c.reads != tt.reads {
				t.Errorf("%d reads, want %d", c.reads, tt.reads)
			}
		})
	}
}

func TestAClusterThatFailsToReturnASecretFailsThePlan(t *testing.T) {
	t.Parallel()
	c := &valueCluster{err: errors.New("connection lost"), historian: historian{key: "key"}}
	c.jobs = []*planner.LiveJob{appliedWith(fromSecret("a", "one"), "value-1")}
	_, err := newOperation(c, onCluster).Plan(t.Context(), operation.Request{Jobs: []*resolve.Job{fromSecret("a", "one")}})
	if err == nil || err.Error() != "read the Secret s: connection lost" {
		t.Errorf("error %v", err)
	}
}

// TestSavedPlanBindsTheValuesOfKubernetesSecrets checks changed and unreadable
// Kubernetes Secrets.
func TestSavedPlanBindsTheValuesOfKubernetesSecrets(t *testing.T) {
	t.Parallel()
	applied, changed := fromSecret("a", "one"), fromSecret("a", "one")
	changed.TaskRoles[0].Commands = []string{"pwd"}
	forbidden := fmt.Errorf("get: %w", cluster.ErrForbidden)
	tests := map[string]struct {
		job    *resolve.Job
		live   *planner.LiveJob
		noKey  bool
		change func(*valueCluster)
		want   string
		calls  []string
	}{
		"nothing changed":                            {changed, appliedWith(applied, "value-1"), false, nil, "", []string{"keep", "delete f-a", "create a", "keep"}},
		"the value of a job that is replaced":        {changed, appliedWith(applied, "value-1"), false, newValue, "saved-plan-secret", nil},
		"the value of a new job":                     {changed, nil, false, newValue, "saved-plan-secret", nil},
		"the value of a new job without a key":       {changed, nil, true, newValue, "saved-plan-secret", nil},
		"the same value of a new job without a key":  {changed, nil, true, nil, "", []string{"keep", "create a", "keep"}},
		"the value of an unchanged job":              {applied, appliedWith(applied, "value-1"), false, newValue, "saved-plan-secret", nil},
		"the new value may not be read at the apply": {applied, appliedWith(applied, "value-0"), false, func(c *valueCluster) { c.err = forbidden }, "secret-unavailable", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &valueCluster{values: map[string]string{"s/one": "value-1"}, historian: historian{key: "key"}}
			if tt.noKey {
				c.key = ""
			}
			if tt.live != nil {
				c.jobs = []*planner.LiveJob{tt.live}
			}
			planned := func() (*operation.Operation, *operation.Plan) {
				o := newOperation(c, onCluster)
				p, err := o.Plan(t.Context(), operation.Request{Jobs: []*resolve.Job{tt.job}})
				if err != nil || p.Diagnostics.HasErrors() {
					t.Fatal(err, p.Diagnostics)
				}
				return o, p
			}
			o, p := planned()
			path := filepath.Join(t.TempDir(), "plan")
			if err := o.Save(t.Context(), p, operation.SaveOptions{Path: path, Version: "1", Now: savedAt, Lifetime: time.Hour}); err != nil {
				t.Fatal(err)
			}
			if content, err := os.ReadFile(path); err != nil || strings.Contains(string(content), "value-1") {
				t.Errorf("the plan contains the value; error %v", err)
			}
			saved, _, err := operation.OpenSaved(path, "1", savedAt)
			if err != nil {
				t.Fatal(err)
			}
			if tt.change != nil {
				tt.change(c)
			}
			o, p = planned()
			err = o.ApplySaved(t.Context(), saved, p, nil, savedAt, operation.ApplyOptions{})
			var refused *operation.Refused
			got := ""
			if errors.As(err, &refused) {
				got = hclspec.Code(refused.Diagnostics[0])
			} else if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("code %q, want %q: %v", got, tt.want, err)
			}
			if diff := cmp.Diff(tt.calls, c.calls); diff != "" {
				t.Errorf("writes (-want +got):\n%s", diff)
			}
		})
	}
}

func newValue(c *valueCluster) { c.values["s/one"] = "value-2" }
