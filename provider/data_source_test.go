// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// outputs returns a value as a tree.
func outputs(v tftypes.Value) tree {
	t, _ := shape.Tree(v)
	return t.(tree)
}

func TestDataSourcesSeeTheJobs(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	tf.resource("openpai_job").apply(job([]string{"exit 3"}, tree{"wait_for": "completed"}))
	one := outputs(tf.read("openpai_job", tree{"name": "mnist"}))
	if one["user"] != "alice" || one["state"] != "FAILED" || one["exit_code"] != numberOf(3) || one["framework_name"] != mnist || len(one["tasks"].([]any)) != 1 {
		t.Errorf("%v", one)
	}
	all := outputs(tf.read("openpai_jobs", tree{"states": []string{"FAILED"}}))["jobs"].([]any)
	if len(all) != 1 || all[0].(tree)["name"] != "mnist" {
		t.Errorf("%v", all)
	}
	if _, text := tf.tryRead("openpai_jobs", tree{"states": []string{"FAILED", "DONE"}}); !strings.Contains(text, `AttributeName("states").ElementKeyInt(1): Value is not allowed: states[1] is "DONE"`) {
		t.Errorf("an unknown state: %s", text)
	}
	if none := outputs(tf.read("openpai_jobs", tree{"states": []string{"RUNNING"}}))["jobs"].([]any); len(none) != 0 {
		t.Errorf("%v", none)
	}
	if c := outputs(tf.read("openpai_cluster", tree{})); c["kind"] != "local" || c["reachable"] != true || c["jobs"] != numberOf(1) || c["ready"] != true || len(c["checks"].([]any)) != 4 {
		t.Errorf("%v", c)
	}
	if _, text := tf.tryRead("openpai_job", tree{"name": "nobody"}); !strings.Contains(text, "No such job") {
		t.Errorf("%s", text)
	}
}

func TestAClusterThatDoesNotAnswerIsReported(t *testing.T) {
	t.Parallel()
	tf := startWith(t, tree{"kubernetes": tree{"kubeconfig": t.TempDir() + "/none", "user": "alice", "workspace": "team"}})
	c := outputs(tf.read("openpai_cluster", tree{}))
	if c["reachable"] != false || c["problem"] == "" || c["kind"] != "kubernetes" {
		t.Errorf("%v", c)
	}
}

// TestDataSourcesOfAnUnknownClusterAdviseDependsOn reads data sources while values of
// the provider block are unknown.
func TestDataSourcesOfAnUnknownClusterAdviseDependsOn(t *testing.T) {
	t.Parallel()
	tf := startWith(t, unknownBlocks["host"])
	want := "values that are known only after apply; add the resource that creates the cluster to depends_on of the data source, or apply this resource first with -target"
	for name, config := range map[string]tree{
		"openpai_job":               {"name": "mnist"},
		"openpai_jobs":              {},
		"openpai_marketplace_item":  {"source": kubernetesScheme, "name": "greet"},
		"openpai_marketplace_items": {"source": kubernetesScheme},
	} {
		if _, text := tf.tryRead(name, config); !strings.Contains(text, want) {
			t.Errorf("%s: %s", name, text)
		}
	}
	if c := outputs(tf.read("openpai_cluster", tree{})); c["reachable"] != false || !strings.Contains(c["problem"].(string), want) {
		t.Errorf("openpai_cluster: %v", c)
	}
}

func TestDiagnosticsOfAProtocolSourceNameTheAttribute(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	tests := map[string]struct {
		config tree
		want   string
	}{
		"neither text":               {tree{}, `AttributeName("file"): Not exactly one text: `},
		"both texts":                 {tree{"file": "job.yaml", "content": "name: a"}, `AttributeName("file"): Not exactly one text: `},
		"a missing file":             {tree{"file": "nowhere.yaml"}, `AttributeName("file"): File cannot be read: nowhere.yaml cannot be read: `},
		"a string that is not a job": {tree{"content": "- 1"}, `AttributeName("content"): `},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if _, text := tf.tryRead("openpai_protocol", tt.config); !strings.Contains(text, tt.want) {
				t.Errorf("no %q in\n%s", tt.want, text)
			}
		})
	}
}

func TestAProviderBlockThatCannotBeUsedIsRefused(t *testing.T) {
	t.Setenv(envUser, "")
	t.Setenv(envWorkspace, "")
	tests := map[string]struct {
		config tree
		want   string
	}{
		"both clusters": {tree{"local": tree{}, "kubernetes": tree{"user": "alice", "workspace": "team"}}, `AttributeName("local"): Two clusters: `},
		"no user":       {onKubernetes(tree{"user": nil}), `AttributeName("kubernetes").AttributeName("user"): Cluster block has no user: `},
		"no workspace":  {onKubernetes(tree{"workspace": nil}), `AttributeName("kubernetes").AttributeName("workspace"): Workspace has no name: `},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tf := startWith(t, tree{"local": tree{}})
			resp, err := tf.server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: tf.encode(tf.value(tt.config, tf.schema.Provider.ValueType()))})
			if err != nil {
				t.Fatal(err)
			}
			if text := diagnosticsText(resp.Diagnostics); !strings.Contains(text, tt.want) {
				t.Errorf("no %q in\n%s", tt.want, text)
			}
		})
	}
}
