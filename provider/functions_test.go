package provider

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// call calls a function with trees as arguments. The result is a tree.
func (tf *terraform) call(name string, arguments ...any) (any, string) {
	tf.t.Helper()
	f := tf.schema.Functions[name]
	if f == nil {
		tf.t.Fatalf("no function %s", name)
	}
	req := &tfprotov6.CallFunctionRequest{Name: name}
	for i, a := range arguments {
		typ := f.Parameters[i].Type
		v := tf.value(a, typ)
		d, err := tfprotov6.NewDynamicValue(typ, v)
		if err != nil {
			tf.t.Fatal(err)
		}
		req.Arguments = append(req.Arguments, &d)
	}
	resp, err := tf.server.CallFunction(tf.t.Context(), req)
	if err != nil {
		tf.t.Fatal(err)
	}
	if resp.Error != nil {
		return nil, resp.Error.Text
	}
	v, err := resp.Result.Unmarshal(f.Return.Type)
	if err != nil {
		tf.t.Fatal(err)
	}
	result, _ := shape.Tree(v)
	return result, ""
}

func TestAJobOfTheProtocolIsTheSameInTerraform(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	text := strings.ReplaceAll(protocolText, "$this", "this")
	parsed, fault := tf.call("parse_protocol", text)
	if fault != "" {
		t.Fatal(fault)
	}
	order, fault := tf.call("resolve_prerequisites", parsed)
	want := map[string]any{"worker": []any{"prerequisite.script.wget", "prerequisite.data.data"}}
	if diff := cmp.Diff(any(want), order); diff != "" || fault != "" {
		t.Errorf("%s\n(-want +got)\n%s", fault, diff)
	}
	again, fault := tf.call("export_protocol", parsed)
	if fault != "" {
		t.Fatal(fault)
	}
	twice, fault := tf.call("parse_protocol", again)
	if diff := cmp.Diff(parsed, twice); diff != "" || fault != "" {
		t.Errorf("after a round trip: %s\n(-first +second)\n%s", fault, diff)
	}
	i := tf.resource("openpai_job")
	if p := i.plan(parsed.(tree)); p.action(i.state) != "create" {
		t.Errorf("the object is no configuration of an openpai_job: %s", p.findings)
	}
}

func TestRenderFramework(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	target := tree{"user": "alice", "workspace": "team", "runtime_image": "example.org/runtime:1"}
	got, fault := tf.call("render_framework", job([]string{"true"}), target)
	if fault != "" || !strings.Contains(got.(string), "executionType: Start") || !strings.Contains(got.(string), mnist) {
		t.Errorf("%s\n%v", fault, got)
	}
	again, _ := tf.call("render_framework", job([]string{"true"}), target)
	if got != again {
		t.Error("the same job gives other bytes")
	}
}

func TestFrameworkName(t *testing.T) {
	t.Parallel()
	if got, fault := start(t, t.TempDir()).call("framework_name", "alice", "mnist"); got != mnist || fault != "" {
		t.Errorf("%v %s", got, fault)
	}
}

func TestFunctionsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	misspelled := job([]string{"true"})
	misspelled["task_roles"].(tree)["worker"].(tree)["comands"] = []string{"true"}
	for name, c := range map[string]struct {
		function string
		argument any
		want     string
	}{
		"an attribute that does not exist": {"resolve_prerequisites", misspelled, `"comands" is no attribute. Did you mean "commands"?`},
		"an unknown prerequisite":          {"export_protocol", worker(job([]string{"true"}), tree{"prerequisites": []any{tree{"use": "nobody"}}}), `task_roles["worker"].prerequisites[0]: Unknown prerequisite`},
		"no YAML":                          {"parse_protocol", "a: [", "yaml:1"},
	} {
		if _, fault := tf.call(c.function, c.argument); !strings.Contains(fault, c.want) {
			t.Errorf("%s: no %q in %q", name, c.want, fault)
		}
	}
}

func TestValuesOfSecretsInATextAreLeftOut(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	tree, found := protocolTree("job.yaml", []byte(protocolText+"secrets: {token: "+canary+"}\n"))
	if strings.Contains(string(shape.MarshalTree(tree)), canary) || len(found) == 0 || strings.Contains(found.Error(), canary) {
		t.Errorf("%v\n%v", tree, found)
	}
	out := tf.read("openpai_protocol", map[string]any{"content": protocolText + "secrets: {token: " + canary + "}\n"})
	if text := out.String(); strings.Contains(strings.ReplaceAll(text, protocolText+"secrets: {token: "+canary, ""), canary) || !strings.Contains(text, "secrets_wo") {
		t.Errorf("%s", text)
	}
}

// read reads a data source.
func (tf *terraform) read(name string, config tree) tftypes.Value {
	tf.t.Helper()
	v, text := tf.tryRead(name, config)
	if text != "" {
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
	return v, findings(resp.Diagnostics)
}
