// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

const protocolText = `
protocolVersion: 2
name: covid
type: job
prerequisites:
  - name: torch
    type: dockerimage
    uri: openpai/standard:python_3.6-pytorch_1.2.0-gpu
  - name: wget
    type: script
    callbacks: [{event: taskStarts, commands: [apt list]}]
  - name: data
    type: data
    uri: [https://example.org/data.zip]
    require: [wget]
    callbacks: [{event: taskStarts, commands: ["wget <% $this.uri[0] %>"]}]
parameters: {lr: 0.1}
taskRoles:
  worker:
    instances: 2
    dockerImage: torch
    prerequisites: [data]
    resourcePerInstance: {gpu: 1, cpu: 3, memoryMB: 29065}
    commands: ["python train.py <% $parameters.lr %>"]
`

func TestSecretValuesInATextAreOmitted(t *testing.T) {
	t.Parallel()
	tree, found := protocolTree("job.yaml", []byte(protocolText+"secrets: {token: "+canary+"}\n"))
	if strings.Contains(string(shape.MarshalTree(tree)), canary) || len(found) == 0 || strings.Contains(found.Error(), canary) {
		t.Errorf("%v\n%v", tree, found)
	}
}

func (tf *terraform) read(name string, config tree) tftypes.Value {
	tf.t.Helper()
	v, text := tf.tryRead(name, config)
	if strings.Contains(text, "error: ") {
		tf.t.Fatal(text)
	}
	return v
}

func (tf *terraform) tryRead(name string, config tree) (tftypes.Value, string) {
	tf.t.Helper()
	typ := tf.schema.DataSourceSchemas[name].ValueType()
	resp, err := tf.server.ReadDataSource(tf.t.Context(), &tfprotov6.ReadDataSourceRequest{TypeName: name, Config: tf.encode(tf.value(config, typ))})
	if err != nil {
		tf.t.Fatal(err)
	}
	v, err := resp.State.Unmarshal(typ)
	if err != nil {
		tf.t.Fatal(err)
	}
	return v, diagnosticsText(resp.Diagnostics)
}
