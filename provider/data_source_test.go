// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

func outputs(v tftypes.Value) tree {
	t, _ := shape.Tree(v)
	return t.(tree)
}

// TestDataSourcesOfAnUnknownClusterAdviseDependsOn reads data sources while
// values of the provider block are unknown.
func TestDataSourcesOfAnUnknownClusterAdviseDependsOn(t *testing.T) {
	t.Parallel()
	tf := startWith(t, unknownBlocks["host"])
	want := "values that are known only after apply; add the resource that creates the cluster to the data source's depends_on, or apply this resource first with -target"
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
