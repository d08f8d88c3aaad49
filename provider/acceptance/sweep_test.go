// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// testPrefix is the workspace prefix of tests on a shared cluster.
const testPrefix = "acc-"

func init() {
	resource.AddTestSweepers("openpai_job", &resource.Sweeper{Name: "openpai_job", F: sweepNamespace})
}

// sweepNamespace deletes leftover test objects from the cluster that
// KUBECONFIG selects:
//
//	KUBECONFIG=FILE go test -tags acc ./provider/acceptance -sweep=NAMESPACE
func sweepNamespace(namespace string) error {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return fmt.Errorf("sweep: read KUBECONFIG: %w", err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("sweep: open the cluster: %w", err)
	}
	return sweep(context.Background(), client, namespace)
}

// sweptKinds lists the kinds of objects to delete. Frameworks are first,
// because the Secret of a running job must not be deleted.
var sweptKinds = []schema.GroupVersionResource{
	{Group: "frameworkcontroller.microsoft.com", Version: "v1", Resource: "frameworks"},
	{Version: "v1", Resource: "configmaps"}, {Version: "v1", Resource: "secrets"}, {Version: "v1", Resource: "serviceaccounts"}, {Version: "v1", Resource: "persistentvolumeclaims"},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "rolebindings"}, {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "roles"},
	{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"},
}

// sweep removes the objects of all workspaces with the test prefix.
func sweep(ctx context.Context, client dynamic.Interface, namespace string) error {
	var failed []error
	foreground := metav1.DeletePropagationForeground
	for _, kind := range sweptKinds {
		list, err := client.Resource(kind).Namespace(namespace).List(ctx, metav1.ListOptions{LabelSelector: contract.LabelManagedBy + "=" + contract.ManagedBy})
		if err != nil {
			failed = append(failed, fmt.Errorf("sweep: list %s: %w", kind.Resource, err))
			continue
		}
		for _, o := range list.Items {
			workspace := o.GetAnnotations()[contract.KeyWorkspace]
			if workspace == "" {
				workspace = o.GetLabels()[contract.KeyWorkspace]
			}
			if !strings.HasPrefix(workspace, testPrefix) {
				continue
			}
			err := client.Resource(kind).Namespace(namespace).Delete(ctx, o.GetName(), metav1.DeleteOptions{PropagationPolicy: &foreground})
			if err != nil && !apierrors.IsNotFound(err) {
				failed = append(failed, fmt.Errorf("sweep: delete %s %s: %w", kind.Resource, o.GetName(), err))
			}
		}
	}
	return errors.Join(failed...)
}

// TestTheSweeperRemovesWhatTestsLeft checks that the sweeper deletes a job of
// a test workspace, but not a job of a different workspace.
func TestTheSweeperRemovesWhatTestsLeft(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	for _, workspace := range []string{testPrefix + "left", "team"} {
		p := newProject(t, "tofu")
		block := strings.ReplaceAll(ownWorkspace(t, workspace), `"default"`, fmt.Sprintf("%q", namespace))
		p.configure(block, `
resource "openpai_job" "left" {
  name       = "left"
  secrets_wo = { TOKEN = "hunter2" }
  task_roles = {
    worker = { image = "ubuntu:22.04", commands = ["echo <% $secrets.TOKEN %>"], resources = { gpu = 0, cpu = 1, memory_mb = 64 } }
  }
}
`)
		p.apply()
	}
	objects := func() map[string]int {
		count := map[string]int{}
		for _, kind := range sweptKinds {
			list, err := apiServer(t).Dynamic().Resource(kind).Namespace(namespace).List(t.Context(), metav1.ListOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range list.Items {
				if workspace := o.GetAnnotations()[contract.KeyWorkspace]; workspace != "" && o.GetDeletionTimestamp() == nil {
					count[workspace]++
				}
			}
		}
		return count
	}
	before := objects()
	if before[testPrefix+"left"] < 2 || before["team"] != before[testPrefix+"left"] {
		t.Fatalf("the tests left %v", before)
	}
	if err := sweep(t.Context(), apiServer(t).Dynamic(), namespace); err != nil {
		t.Fatal(err)
	}
	after := objects()
	if after[testPrefix+"left"] != 0 || after["team"] != before["team"] {
		t.Errorf("%v before, %v after", before, after)
	}
}
