// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// onKubernetes returns a provider block with the required and the given
// attributes.
func onKubernetes(more tree) tree {
	block := tree{"user": "alice", "workspace": "team"}
	maps.Copy(block, more)
	return tree{"kubernetes": block}
}

func TestTheProviderKnowsWhatAClusterBlockKnows(t *testing.T) {
	t.Parallel()
	tf := startWith(t, onKubernetes(nil))
	v := tf.value(onKubernetes(tree{
		"kubeconfig": "k", "context": "gpu", "namespace": "jobs", "profile": "openpai", "service_account": "runner",
		"log_storage": "logs", "pod_security": "restricted", "max_run_time": "2h", "max_wait_time": "5m",
		"priority_class": tree{"preemption_policy": "Never"},
		"pod":            tree{"node_selector": tree{"disk": "ssd"}, "tolerations": []any{tree{"key": "gpu", "operator": "Exists"}}, "run_as_user": 1000},
		"skus":           tree{"K80": tree{"gpu": 1, "cpu": 4, "memory": 8192}}, "virtual_clusters": tree{"vc1": tree{"quota": tree{"K80": 4}}},
		"runtime_image": "example.org/runtime:1", "runtime_pull_policy": "Always", "runtime_fetch_cache": "/var/cache/openpai", "runtime_fetch_cache_mb": 1024,
	}), tf.schema.Provider.ValueType())
	var diags diag.Diagnostics
	got := newProvider("test").settings(v, &diags)
	if len(diags) > 0 {
		t.Fatalf("%v", diags)
	}
	user := 1000
	want := &hclspec.Cluster{
		Name: kubernetesName, Kubeconfig: "k", Context: "gpu", Namespace: "jobs", Profile: "openpai", User: "alice",
		ServiceAccount: "runner", LogStorage: "logs", PodSecurity: "restricted",
		Runtime:       hclspec.ClusterRuntime{Image: "example.org/runtime:1", PullPolicy: "Always", FetchCache: "/var/cache/openpai", FetchCacheMB: 1024},
		PriorityClass: &hclspec.PriorityClass{PreemptionPolicy: "Never"},
		Pod: &hclspec.Pod{
			NodeSelector: map[string]string{"disk": "ssd"}, RunAsUser: &user,
			Tolerations: []any{map[string]any{"key": "gpu", "operator": "Exists"}},
		},
		SKUs:            []*hclspec.SKU{{Name: "K80", GPU: 1, CPU: 4, Memory: 8192}},
		VirtualClusters: []*hclspec.VirtualCluster{{Name: "vc1", Quota: map[string]int{"K80": 4}}},
	}
	want.MaxRunTime, _ = hclspec.ParseDuration("2h")
	want.MaxWaitTime, _ = hclspec.ParseDuration("5m")
	noPaths := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Path" }, cmp.Ignore())
	if diff := cmp.Diff(want, got.Cluster, noPaths); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// validateProvider validates a provider block and returns the diagnostics.
func (tf *terraform) validateProvider(configuration tree) string {
	tf.t.Helper()
	v := tf.value(configuration, tf.schema.Provider.ValueType())
	resp, err := tf.server.ValidateProviderConfig(tf.t.Context(), &tfprotov6.ValidateProviderConfigRequest{Config: tf.encode(v)})
	if err != nil {
		tf.t.Fatal(err)
	}
	return diagnosticsText(resp.Diagnostics)
}
