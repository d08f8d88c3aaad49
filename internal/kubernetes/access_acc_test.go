// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// checkToken checks that the app container has no service account token and no
// container has a secret value.
func checkToken(t *testing.T, p unstructured.Unstructured) {
	t.Helper()
	containers, _, _ := unstructured.NestedSlice(p.Object, "spec", "containers")
	text, err := json.Marshal(containers)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), contract.TokenDir) {
		t.Errorf("Pod %s: the app container has a token: %s", p.GetName(), text)
	}
	if strings.Contains(string(text), "value of token") {
		t.Errorf("Pod %s contains the value of a secret", p.GetName())
	}
}

func TestInitContainerReadsItsOwnFrameworkOnly(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	mine, other := sampleJob("vision", "mine"), sampleJob("vision", "other")
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{mine, other}})
	client := asAccount(t, c.namespace, contract.RuntimeAccount(mine.Framework))
	tests := map[string]struct {
		method, path string
		allowed      bool
	}{
		"its Framework":                   {http.MethodGet, api.Frameworks.Path(c.namespace, mine.Framework), true},
		"a watch of its Framework":        {http.MethodGet, api.Frameworks.Path(c.namespace, "") + "?fieldSelector=metadata.name%3D" + mine.Framework, true},
		"its table of hosts":              {http.MethodGet, api.ConfigMaps.Path(c.namespace, contract.HostsConfigMap(mine.Framework)), true},
		"another Framework":               {http.MethodGet, api.Frameworks.Path(c.namespace, other.Framework), false},
		"all Frameworks":                  {http.MethodGet, api.Frameworks.Path(c.namespace, ""), false},
		"the hosts of another job":        {http.MethodGet, api.ConfigMaps.Path(c.namespace, contract.HostsConfigMap(other.Framework)), false},
		"its own record":                  {http.MethodGet, api.ConfigMaps.Path(c.namespace, contract.RecordConfigMap(mine.Framework)), false},
		"its own secrets through the API": {http.MethodGet, api.Secrets.Path(c.namespace, contract.JobSecret(mine.Framework)), false},
		"the key of the workspace":        {http.MethodGet, api.Secrets.Path(c.namespace, keyName("vision")), false},
		"the Pods":                        {http.MethodGet, api.Pods.Path(c.namespace, ""), false},
		"the end of its Framework":        {http.MethodDelete, api.Frameworks.Path(c.namespace, mine.Framework), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), tt.method, server.Config.Host+tt.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			res, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			want := http.StatusForbidden
			if tt.allowed {
				want = http.StatusOK
			}
			if res.StatusCode != want {
				t.Errorf("%s, want %d", res.Status, want)
			}
		})
	}
}

func asAccount(t *testing.T, namespace, name string) *http.Client {
	t.Helper()
	config := rest.CopyConfig(server.Config)
	config.BearerToken = tokenOf(t, namespace, name)
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func tokenOf(t *testing.T, namespace, name string) string {
	t.Helper()
	accounts := server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "serviceaccounts"})
	asked := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "metadata": map[string]any{"name": name}, "spec": map[string]any{}}}
	got, err := accounts.Namespace(namespace).Create(t.Context(), asked, metav1.CreateOptions{}, "token")
	if err != nil {
		t.Fatal(err)
	}
	token, _, _ := unstructured.NestedString(got.Object, "status", "token")
	return token
}

func TestSecretsAreInSecretsOnly(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	j := sampleJob("vision", "mnist")
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})
	for _, k := range []api.Resource{api.Frameworks, api.ConfigMaps, api.ServiceAccounts, api.Roles, api.RoleBindings} {
		found, err := listAll[json.RawMessage](t.Context(), c, k, nil, "", 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range found {
			if strings.Contains(string(o), "value of") {
				t.Errorf("a %s contains the value of a secret: %s", k.Kind, o)
			}
		}
	}
	if got, err := c.SecretValue(t.Context(), contract.JobSecret(j.Framework), "token"); err != nil || got != "value of token" {
		t.Errorf("value %q %v", got, err)
	}
}
