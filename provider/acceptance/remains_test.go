// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package acceptance

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// remains lists the objects of a project on the cluster, except objects that
// Kubernetes deletes with their owners.
func (at *environment) remains(t *testing.T, p *project, name string) []string {
	t.Helper()
	var all []string
	if name == "local" {
		_ = filepath.WalkDir(filepath.Join(p.dir, ".openpai"), func(path string, _ os.DirEntry, err error) error {
			if err == nil {
				all = append(all, path)
			}
			return nil
		})
		return all
	}
	for _, kind := range namespacedKinds {
		list, err := apiServer(t).Dynamic().Resource(kind).Namespace(namespaceOf(at)).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range list.Items {
			if kind == claimKind && o.GetDeletionTimestamp() != nil {
				continue // no controller removes the finalizer from a deleted claim here
			}
			if owned := len(o.GetOwnerReferences()) > 0; !owned && o.GetLabels()["app.kubernetes.io/managed-by"] != "" { // no garbage collector runs here
				all = append(all, o.GetKind()+" "+o.GetName())
			}
		}
	}
	return all
}

// TestDestroyLeavesNothing checks that no object remains after destroy. Before
// destroy, the test replaces the only job, adds a second job and deletes the
// first. The workspace key for secret versions must still exist after the
// replacement.
func TestDestroyLeavesNothing(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				p.env = append(p.env, "TF_SEC_TOKEN="+canary)
				at := open(t, p.dir)
				greet, secret := prerequisite("greet", "echo hello"), `secrets = { token = { env = "TF_SEC_TOKEN" } }`
				train := jobAlone("printf %s '<% $secrets.token %>' > got; sleep 1000", 1, secret)
				other := strings.ReplaceAll(train, `"mnist"`, `"other"`)
				p.configure(at.provider, greet, train)
				p.apply()
				if err := at.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				waitFor(t, at, cluster.Running)
				versions := p.attribute("secret_versions")
				p.apply("-replace=openpai_job.mnist")
				p.must("taint", "openpai_job.mnist")
				p.apply()
				p.mustBeEmpty()
				if after := p.attribute("secret_versions"); versions == nil || after.(map[string]any)["token"] != versions.(map[string]any)["token"] {
					t.Errorf("the key for secret versions changed: %v, %v", versions, after)
				}
				p.configure(at.provider, greet, train, other)
				p.apply()
				p.configure(at.provider, greet, train)
				p.apply() // deletes one of the two jobs
				p.mustBeEmpty()
				if len(at.remains(t, p, name)) == 0 {
					t.Error("no object exists, so the test proves nothing")
				}

				p.configure(at.provider, greet, strings.ReplaceAll(other, "sleep 1000", "sleep 1001"))
				p.apply() // deletes the only existing job while it creates a different job
				p.mustBeEmpty()
				p.must("destroy", "-auto-approve", "-input=false")
				if remaining := at.remains(t, p, name); len(remaining) > 0 {
					t.Errorf("destroy left %s", strings.Join(remaining, ", "))
				}
			})
		}
	})
}

// TestItemsAreDeletedWithTheirResource publishes two versions of an item that
// a job uses. One destroy command deletes all resources, including a storage.
func TestItemsAreDeletedWithTheirResource(t *testing.T) {
	markets := map[string]string{"local": "market", "kubernetes": "kubernetes://"}
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				storage, exists := at.owned(t, p, name)
				uses := strings.ReplaceAll(jobAlone("sleep 1000", 1, ""), "openpai_prerequisite.greet", "openpai_marketplace_item.greet")
				p.configure("")
				before := p.files()
				for _, version := range []string{"1.0", "1.1"} {
					item := strings.Replace(published(markets[name], version, "echo "+version), "content = ", "on_destroy = \"delete\"\n  content = ", 1)
					p.configure(at.provider, item, uses, storage(`on_destroy = "delete"`))
					p.apply()
				}
				p.mustBeEmpty()
				if out := p.must("destroy", "-auto-approve", "-input=false"); strings.Contains(out, "items are kept") {
					t.Errorf("%s", out)
				}
				if remaining := at.remains(t, p, name); len(remaining) > 0 || exists() {
					t.Errorf("destroy left %v, and the storage: %t", remaining, exists())
				}
				if after := p.files(); !slices.Equal(after, before) {
					t.Errorf("files after destroy: %v, before apply: %v", after, before)
				}
			})
		}
	})
}
