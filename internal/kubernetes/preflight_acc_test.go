// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/install"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// withVolume adds a storage for which apply must create a volume.
func withVolume(j *resolve.Job) *resolve.Job {
	nfs := &hclspec.Storage{Name: "data", NFS: &hclspec.NFSVolume{Server: "s", Path: "/"}}
	j.TaskRoles[0].Mounts = []*resolve.Mount{{Storage: "data", Path: "/data", Declared: nfs}}
	return j
}

// asGang makes the job gang-scheduled: apply creates a service account for
// such jobs.
func asGang(_ *Cluster, j *resolve.Job) { j.GangAllocation, j.TaskRoles[0].Instances = true, 2 }

func TestAMissingPermissionIsFoundBeforeAnythingIsSent(t *testing.T) {
	for name, tt := range map[string]struct {
		change  func(*Cluster, *resolve.Job)
		without string // a resource missing from the user role
		want    string
		missing []string
	}{
		"priority classes": {
			func(c *Cluster, _ *resolve.Job) { c.target().PriorityClass = &hclspec.PriorityClass{} }, "",
			"priorityclasses", []string{"create priorityclasses"},
		},
		"volumes": {
			func(_ *Cluster, j *resolve.Job) { withVolume(j) }, "",
			"persistentvolumes", []string{"patch persistentvolumes"},
		},
		"accounts":      {asGang, "serviceaccounts", "serviceaccounts", []string{"create and patch serviceaccounts"}},
		"roles":         {asGang, "roles", "roles", []string{"create and patch roles"}},
		"role bindings": {asGang, "rolebindings", "rolebindings", []string{"create and patch rolebindings"}},
	} {
		t.Run(name, func(t *testing.T) {
			namespace := newNamespace(t)
			grantWithout(t, namespace, install.Options{JobNamespace: namespace, EngineNamespace: "e", Users: []string{"alice"}}, tt.without)
			c := asUser(t, "alice", namespace)
			if _, err := c.connect(); err != nil {
				t.Fatal(err)
			}
			j := plainJob("vision", "mnist")
			tt.change(c, j)
			missing, err := c.MissingPermissions(t.Context(), submission(c, j))
			if diff := cmp.Diff(tt.missing, missing); err != nil || diff != "" {
				t.Errorf("the plan: error %v (-want +got)\n%s", err, diff)
			}
			err = c.Create(t.Context(), submission(c, j))
			if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want an error about %s", err, tt.want)
			}
			mustBeGone(t, namespace, "Role openpai-user", "RoleBinding openpai-user")
		})
	}
}

// TestPermissionsAreReadOncePerConnection checks that concurrent calls to
// MissingPermissions for many jobs send only one request.
func TestPermissionsAreReadOncePerConnection(t *testing.T) {
	namespace := newNamespace(t)
	c, proxy := behind(t, namespace, nil)
	c.options.RequestTimeout = time.Minute
	if _, err := c.connect(); err != nil {
		t.Fatal(err)
	}
	var work []func() error
	for _, j := range manyJobs("vision", 20) {
		work = append(work, func() error {
			missing, err := c.MissingPermissions(t.Context(), submission(c, j))
			if len(missing) > 0 {
				t.Errorf("%s: an administrator may not apply: %v", j.Name, missing)
			}
			return err
		})
	}
	if err := api.Parallel(work); err != nil {
		t.Fatal(err)
	}
	if n := len(proxy.Requests()); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}

// Without the preflight, as in earlier versions, a failed apply can leave objects
// behind. The same user must be able to destroy these objects without the
// permission that apply lacked.
func TestAHalfSubmittedJobCanBeDestroyedWithoutThePermissionItLacked(t *testing.T) {
	namespace := newNamespace(t)
	grant(t, namespace, install.Options{JobNamespace: namespace, EngineNamespace: "e", Users: []string{"alice"}})
	c := asUser(t, "alice", namespace)
	if _, err := c.connect(); err != nil {
		t.Fatal(err)
	}
	c.target().PriorityClass = &hclspec.PriorityClass{}
	c.tried[api.PriorityClasses] = func() error { return nil }
	j := plainJob("vision", "mnist")
	if err := c.Create(t.Context(), submission(c, j)); !apierrors.IsForbidden(err) {
		t.Fatalf("error %v", err)
	}
	if r, err := c.loadRecord(t.Context(), j.Framework); err != nil || r.PriorityClass == "" {
		t.Fatalf("record %+v, error %v", r, err)
	}
	if err := c.Delete(t.Context(), j.Framework); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Status(t.Context(), j.Framework); !api.IsNotFound(err) {
		t.Errorf("status %v", err)
	}
	mustBeGone(t, namespace, "Role openpai-user", "RoleBinding openpai-user")
}
