// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/fault"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
)

// wgetItem returns an item file whose command differs between versions.
func wgetItem(version, command string) string {
	return fmt.Sprintf("- name: wget\n  type: script\n  version: %q\n  callbacks:\n    - event: taskStarts\n      commands: [%q]\n", version, command)
}

// itemsOf declares a marketplace whose items are in a namespace.
func itemsOf(kubeconfig, namespace string) (*marketplace.Set, *hclspec.Marketplace) {
	ws := &hclspec.Workspace{Name: "vision", Clusters: []*hclspec.Cluster{{Name: "gpu", Kubeconfig: kubeconfig, Namespace: "default"}}}
	m := &hclspec.Marketplace{Name: "team", Kubernetes: &hclspec.KubernetesMarketplace{Namespace: namespace}}
	return marketplace.NewSet([]*hclspec.Marketplace{m}, marketplace.Options{Kubernetes: func(m *hclspec.Marketplace) (marketplace.Source, error) {
		return OpenItems(ws, m)
	}}), m
}

// publish uses a new marketplace.Set, like a separate publish command.
func publish(t *testing.T, kubeconfig, namespace, name, text string) (*marketplace.Published, error) {
	t.Helper()
	items, diags := marketplace.ParseFile(name, []byte(text))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	set, m := itemsOf(kubeconfig, namespace)
	return set.Publish(t.Context(), m, &marketplace.Publication{Name: name, Text: []byte(text), Items: items})
}

func TestItemsArePublishedToAndFoundInACluster(t *testing.T) {
	namespace := newNamespace(t)
	for _, version := range []string{"1.0", "1.1"} {
		done, err := publish(t, server.Kubeconfig, namespace, "tools/Wget.yaml", wgetItem(version, "echo "+version))
		if err != nil || len(done.Places) != 1 {
			t.Fatalf("publish %s: %+v %v", version, done, err)
		}
	}
	if done, err := publish(t, server.Kubeconfig, namespace, "wget.yaml", wgetItem("1.0", "echo 1.0")); err != nil || len(done.Places) != 0 {
		t.Errorf("published again: %+v %v", done, err)
	}
	if _, err := publish(t, server.Kubeconfig, namespace, "other.yaml", wgetItem("1.0", "echo other")); !marketplace.Is(err, marketplace.PublishedVersionDiffers) {
		t.Errorf("published a version again with other content: %v", err)
	}
	set, _ := itemsOf(server.Kubeconfig, namespace)
	newest, err := set.Find(t.Context(), "marketplace://script/wget", marketplace.Prerequisite)
	if err != nil || newest.Version != "1.1" {
		t.Fatalf("found %+v %v", newest, err)
	}
	older, err := set.Find(t.Context(), "marketplace://script/wget?version=1.0", marketplace.Prerequisite)
	if err != nil || older.Version != "1.0" {
		t.Fatalf("found %+v %v", older, err)
	}
	if content, err := set.Locked(t.Context(), older.Address, older.Place, older.Hash()); err != nil || !strings.Contains(string(content), "echo 1.0") {
		t.Errorf("locked content %s %v", content, err)
	}
	elsewhere, _ := itemsOf(server.Kubeconfig, newNamespace(t))
	if _, err := elsewhere.Find(t.Context(), "marketplace://script/wget", marketplace.Any); !marketplace.Is(err, hclspec.ItemNotFound) {
		t.Errorf("found the item in another namespace: %v", err)
	}
}

func TestPublishedItemsAreImmutable(t *testing.T) {
	namespace := newNamespace(t)
	done, err := publish(t, server.Kubeconfig, namespace, "wget.yaml", wgetItem("1.0", "echo one"))
	if err != nil {
		t.Fatal(err)
	}
	c := open(t, namespace, "vision")
	if _, err := c.connect(); err != nil {
		t.Fatal(err)
	}
	name := done.Places[0][strings.LastIndex(done.Places[0], "/")+1:]
	err = c.merge(t.Context(), api.ConfigMaps, name, map[string]any{"data": map[string]string{"wget-1.0.yaml": "changed"}})
	if !apierrors.IsInvalid(err) {
		t.Errorf("the published file changed: %v", err)
	}
}

func TestItemsWrittenByHandAreListed(t *testing.T) {
	namespace := newNamespace(t)
	c := open(t, namespace, "vision")
	if _, err := c.connect(); err != nil {
		t.Fatal(err)
	}
	o := framework.ConfigMap{
		APIVersion: "v1", Kind: "ConfigMap", Data: map[string]string{"a.yaml": wgetItem("2", "echo"), "broken.yaml": "[", "README.md": "notes"},
		Metadata: framework.ObjectMeta{Name: "by-hand", Namespace: namespace, Labels: map[string]string{contract.KeyType: contract.TypeItems}},
	}
	if err := c.apply(t.Context(), api.ConfigMaps, o.Metadata.Name, o, false); err != nil {
		t.Fatal(err)
	}
	set, m := itemsOf(server.Kubeconfig, namespace)
	l, err := set.List(t.Context(), m, marketplace.Query{})
	if err != nil || len(l.Items) != 1 || len(l.Problems) != 1 || !strings.Contains(l.Problems[0].Detail, "broken.yaml") {
		t.Errorf("listing %+v %v", l, err)
	}
}

func TestAnItemIsPublishedDespiteALostResponse(t *testing.T) {
	namespace := newNamespace(t)
	lost := false
	c, _ := behind(t, namespace, func(r fault.Request) (fault.Kind, bool) {
		hit := !lost && r.Method == http.MethodPost
		lost = lost || hit
		return fault.ResetAfter, hit
	})
	done, err := publish(t, c.declared.Kubeconfig, namespace, "wget.yaml", wgetItem("1.0", "echo"))
	if err != nil || len(done.Places) != 1 || !lost {
		t.Errorf("published %+v %v, fault injected: %v", done, err, lost)
	}
}

func TestItemsNeedPermission(t *testing.T) {
	namespace := newNamespace(t)
	c := open(t, namespace, "vision")
	j := sampleJob("vision", "mnist")
	if err := c.Create(t.Context(), submission(c, j)); err != nil {
		t.Fatal(err)
	}
	kubeconfig := kubeconfigOf(t, namespace, contract.RuntimeAccount(j.Framework))
	set, m := itemsOf(kubeconfig, namespace)
	if _, err := set.List(t.Context(), m, marketplace.Query{}); !marketplace.Is(err, hclspec.MarketplaceNotPermitted) || !strings.Contains(err.Error(), namespace) {
		t.Errorf("listed without permission: %v", err)
	}
	if _, err := publish(t, kubeconfig, namespace, "wget.yaml", wgetItem("1.0", "echo")); !marketplace.Is(err, hclspec.MarketplaceNotPermitted) {
		t.Errorf("published without permission: %v", err)
	}
}

func kubeconfigOf(t *testing.T, namespace, account string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: %q, certificate-authority: %q}}]
users: [{name: test, user: {token: %q}}]
contexts: [{name: test, context: {cluster: test, user: test, namespace: %q}}]
current-context: test
`, server.Config.Host, server.Config.CAFile, tokenOf(t, namespace, account), namespace)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestPublishedItemsAreDeleted checks that only a ConfigMap with the published content
// is deleted.
func TestPublishedItemsAreDeleted(t *testing.T) {
	namespace, text := newNamespace(t), wgetItem("1.0", "echo 1.0")
	done, err := publish(t, server.Kubeconfig, namespace, "wget.yaml", text)
	if err != nil || len(done.Places) != 1 {
		t.Fatalf("%+v %v", done, err)
	}
	set, m := itemsOf(server.Kubeconfig, namespace)
	for _, step := range []struct {
		hash       string
		kept, left bool
	}{
		{marketplace.Hash([]byte("other")), true, true},
		{marketplace.Hash([]byte(text)), false, false},
		{marketplace.Hash([]byte(text)), false, false}, // it no longer exists
	} {
		out, err := set.Withdraw(t.Context(), m, done.Places[0], step.hash)
		if err != nil || out.Kept != step.kept {
			t.Errorf("%+v, %v", out, err)
		}
		again, m := itemsOf(server.Kubeconfig, namespace)
		if l, err := again.List(t.Context(), m, marketplace.Query{}); err != nil || len(l.Items) > 0 != step.left {
			t.Errorf("%v, %v", l.Items, err)
		}
	}
}
