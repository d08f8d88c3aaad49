// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func identityOf(t *testing.T, i *instance) map[string]string {
	t.Helper()
	schemas, err := i.tf.server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := i.identity.IdentityData.Unmarshal(schemas.IdentitySchemas[i.name].ValueType())
	if err != nil {
		t.Fatal(err)
	}
	return stringMap(v)
}

func TestAnIdentitySaysWhereTheResourceIs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i := start(t, dir).resource("openpai_job")
	i.mustApply(job([]string{"true"}, tree{"wait_for": "completed"}), "create")
	if got := identityOf(t, i); got["cluster"] != "local" || got["namespace"] != "" || got["name"] != "mnist" || got["user"] != "alice" {
		t.Errorf("%v", got)
	}
	for name, tt := range map[string]struct {
		identity tree
		want     string
	}{
		"the cluster":       {tree{"name": "mnist", "cluster": "local"}, ""},
		"another cluster":   {tree{"name": "mnist", "cluster": "https://gpu"}, `the cluster "https://gpu", but the provider block is for "local"`},
		"another namespace": {tree{"name": "mnist", "namespace": "jobs"}, `the namespace "jobs"`},
	} {
		again := startWith(t, tree{"local": tree{"directory": dir, "user": "alice"}}).resource("openpai_job")
		if text := again.importIdentity(tt.identity); tt.want == "" && text != "" || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %s", name, text)
		}
	}
	s := start(t, dir).resource("openpai_storage")
	s.mustApply(tree{"name": "data", "host_path": filepath.Join(dir, "data")}, "create")
	if got := identityOf(t, s); got["cluster"] != "local" || got["name"] != "data" {
		t.Errorf("%v", got)
	}
}

func TestTheLocationOfAnIdentityIsSetOnce(t *testing.T) {
	t.Parallel()
	at := func(host string) *connection {
		return newConnection(&settings{Cluster: &hclspec.Cluster{Name: kubernetesName, Namespace: "jobs", Access: &hclspec.ClusterAccess{Host: host}}, Workspace: "team"}, nil, nil)
	}
	unknown := newConnection(&settings{Cluster: &hclspec.Cluster{Name: kubernetesName}, Workspace: "team", Unknown: true}, nil, nil)
	var served resource.IdentitySchemaResponse
	(&jobResource{}).IdentitySchema(t.Context(), resource.IdentitySchemaRequest{}, &served)
	null := tftypes.NewValue(unknown.jobIdentity("", "").Type(), nil)
	for name, tt := range map[string]struct {
		conn   *connection
		before tftypes.Value
		want   string
	}{
		"one that is new":                   {at("https://one/"), null, "https://one jobs"},
		"a cluster with a changed URL":      {at("https://two"), at("https://one").jobIdentity("alice", "mnist"), "https://one jobs"},
		"an identity without a location":    {at("https://two"), unknown.jobIdentity("alice", "mnist"), " "},
		"an unknown provider configuration": {unknown, null, " "},
	} {
		identity := &tfsdk.ResourceIdentity{Raw: tt.before, Schema: served.IdentitySchema}
		var diags diag.Diagnostics
		tt.conn.identify(t.Context(), identity, jobIdentity("alice", "mnist"), &diags)
		got := stringMap(identity.Raw)
		if len(diags) > 0 || got["cluster"]+" "+got["namespace"] != tt.want || got["name"] != "mnist" || !identity.Raw.IsFullyKnown() {
			t.Errorf("%s: %v, want %q %v", name, got, tt.want, diags)
		}
	}
}

func TestIdentitiesOfVersionZeroAreRead(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	for name, text := range map[string]string{
		"openpai_job":              `{"user":"alice","name":"mnist"}`,
		"openpai_prerequisite":     `{"type":"script","name":"greet"}`,
		"openpai_storage":          `{"name":"data"}`,
		"openpai_marketplace_item": `{"to":"market","name":"data"}`,
	} {
		resp, err := tf.server.UpgradeResourceIdentity(t.Context(), &tfprotov6.UpgradeResourceIdentityRequest{
			TypeName: name, Version: 0, RawIdentity: &tfprotov6.RawState{JSON: []byte(text)},
		})
		if err != nil || len(resp.Diagnostics) > 0 {
			t.Fatalf("%s: %v %s", name, err, diagnosticsText(resp.Diagnostics))
		}
		i := tf.resource(name)
		i.identity = resp.UpgradedIdentity
		var before map[string]string
		if err := json.Unmarshal([]byte(text), &before); err != nil {
			t.Fatal(err)
		}
		got := identityOf(t, i)
		for _, location := range identityLocations {
			if got[location] != "" {
				t.Errorf("%s: %v", name, got)
			}
			delete(got, location)
		}
		if diff := cmp.Diff(before, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

// TestAStateWithoutIdentitiesIsRead upgrades a state from a Terraform version
// without identities. A newer Terraform version requests the upgrade with an
// empty identity.
func TestAStateWithoutIdentitiesIsRead(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	for _, name := range []string{"openpai_job", "openpai_prerequisite", "openpai_storage", "openpai_marketplace_item"} {
		for _, raw := range []*tfprotov6.RawState{nil, {}, {JSON: []byte("null")}} {
			resp, err := tf.server.UpgradeResourceIdentity(t.Context(), &tfprotov6.UpgradeResourceIdentityRequest{TypeName: name, RawIdentity: raw})
			if err != nil || len(resp.Diagnostics) > 0 || resp.UpgradedIdentity != nil {
				t.Errorf("%s: %v %v %s", name, err, resp.UpgradedIdentity, diagnosticsText(resp.Diagnostics))
			}
		}
	}
}
