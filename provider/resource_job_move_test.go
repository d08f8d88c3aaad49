// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// manifestOf returns a kubernetes_manifest state with only the identity of an
// object.
func manifestOf(kind, name string, labels, annotations map[string]string) []byte {
	text, err := json.Marshal(tree{
		"manifest": tree{
			"value": tree{
				"apiVersion": "frameworkcontroller.microsoft.com/v1", "kind": kind,
				"metadata": tree{"name": name, "namespace": "default", "labels": labels, "annotations": annotations},
			},
			"type": "object",
		},
		"object": nil, "wait": nil, "timeouts": nil,
	})
	if err != nil {
		panic(err)
	}
	return text
}

// move passes the state of another resource to the provider, like a moved
// block.
func (i *instance) move(from string, state []byte) string {
	i.tf.t.Helper()
	resp, err := i.tf.server.MoveResourceState(i.tf.t.Context(), &tfprotov6.MoveResourceStateRequest{
		SourceProviderAddress: "registry.terraform.io/hashicorp/kubernetes", SourceTypeName: from, SourceSchemaVersion: 1,
		SourceState: &tfprotov6.RawState{JSON: state}, TargetTypeName: i.name,
	})
	if err != nil {
		i.tf.t.Fatal(err)
	}
	return diagnosticsText(resp.Diagnostics)
}

func TestOnlyFrameworksOfOpenPAIAreMoved(t *testing.T) {
	t.Parallel()
	own := map[string]string{contract.LabelUser: "alice"}
	named := map[string]string{contract.AnnotationJobName: "mnist"}
	tests := map[string]struct {
		resource string
		state    []byte
		want     string
	}{
		"another resource":            {"kubernetes_config_map", manifestOf("Framework", mnist, own, named), "Unable to Move Resource State"},
		"an object of another kind":   {"kubernetes_manifest", manifestOf("ConfigMap", mnist, own, named), "Unable to Move Resource State"},
		"a Framework without a user":  {"kubernetes_manifest", manifestOf("Framework", mnist, nil, named), "Not an OpenPAI job"},
		"a Framework of another name": {"kubernetes_manifest", manifestOf("Framework", "mine", own, named), "Not an OpenPAI job"},
		"a state that is not JSON":    {"kubernetes_manifest", []byte("{"), "Unable to Move Resource State"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := start(t, t.TempDir()).resource("openpai_job")
			if text := i.move(tt.resource, tt.state); !strings.Contains(text, tt.want) {
				t.Errorf("%s", text)
			}
		})
	}
}
