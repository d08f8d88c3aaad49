// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"os"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// FuzzUpgradeJobState checks that upgrading any state returns a state that
// matches the schema, or an error.
func FuzzUpgradeJobState(f *testing.F) {
	text, err := os.ReadFile(stateFile("openpai_job", 0))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"prerequisites":[{"name":"a","parameters":null,"uri":[null,1e400]}]}`))
	f.Add([]byte(`{"prerequisites":{"x":[[]]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		resp := resource.UpgradeStateResponse{State: tfsdk.State{Schema: schemaOfJob()}}
		(&jobResource{}).UpgradeState(t.Context())[0].StateUpgrader(t.Context(), resource.UpgradeStateRequest{RawState: &tfprotov6.RawState{JSON: text}}, &resp)
		if !resp.Diagnostics.HasError() && resp.State.Raw.Type() == nil {
			t.Error("the state is neither upgraded nor rejected")
		}
	})
}
