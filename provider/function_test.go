// SPDX-License-Identifier: MPL-2.0

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
	parsed, funcErr := tf.call("parse_protocol", text)
	if funcErr != "" {
		t.Fatal(funcErr)
	}
	order, funcErr := tf.call("resolve_prerequisites", parsed)
	want := map[string]any{"worker": []any{"prerequisite.script.wget", "prerequisite.data.data"}}
	if diff := cmp.Diff(any(want), order); diff != "" || funcErr != "" {
		t.Errorf("%s\n(-want +got)\n%s", funcErr, diff)
	}
	again, funcErr := tf.call("export_protocol", parsed)
	if funcErr != "" {
		t.Fatal(funcErr)
	}
	twice, funcErr := tf.call("parse_protocol", again)
	if diff := cmp.Diff(parsed, twice); diff != "" || funcErr != "" {
		t.Errorf("after a round trip: %s\n(-first +second)\n%s", funcErr, diff)
	}
	i := tf.resource("openpai_job")
	if p := i.plan(parsed.(tree)); p.action(i.state) != "create" {
		t.Errorf("the object is not a configuration of an openpai_job: %s", p.diagnostics)
	}
}

func TestRenderFramework(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	target := tree{"user": "alice", "workspace": "team", "runtime_image": "example.org/runtime:1"}
	got, funcErr := tf.call("render_framework", job([]string{"true"}), target)
	if funcErr != "" || !strings.Contains(got.(string), "executionType: Start") || !strings.Contains(got.(string), mnist) {
		t.Errorf("%s\n%v", funcErr, got)
	}
	again, _ := tf.call("render_framework", job([]string{"true"}), target)
	if got != again {
		t.Error("the same job produces different bytes")
	}
}

func TestFunctionsTakeAResourceWithSecrets(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	i := tf.resource("openpai_job")
	i.mustApply(job([]string{"echo <% $secrets.token %>"}, tree{"wait_for": "completed", "secrets_wo": tree{"token": canary}}), "create")
	applied, _ := shape.Tree(i.state)
	text, funcErr := tf.call("export_protocol", applied)
	if yaml, _ := text.(string); funcErr != "" || !strings.Contains(yaml, "token: ") || strings.Contains(yaml, canary) {
		t.Errorf("%s\n%v", funcErr, text)
	}
	text, funcErr = tf.call("render_framework", applied, tree{"user": "alice", "workspace": "team", "runtime_image": "example.org/runtime:1"})
	if yaml, _ := text.(string); funcErr != "" || !strings.Contains(yaml, "kind: Secret") || strings.Contains(yaml, canary) {
		t.Errorf("%s\n%v", funcErr, text)
	}
}

func TestAProfileThatIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	_, funcErr := start(t, t.TempDir()).call("render_framework", job([]string{"true"}), tree{"user": "alice", "workspace": "team", "profile": "opnpai", "runtime_image": "example.org/runtime:1"})
	if want := `cluster.profile: Value is not allowed: profile is "opnpai", but it must be "standard" or "openpai". Did you mean "openpai"? [value-not-allowed]`; funcErr != want {
		t.Errorf("%s, want %s", funcErr, want)
	}
}

func TestFrameworkName(t *testing.T) {
	t.Parallel()
	if got, funcErr := start(t, t.TempDir()).call("framework_name", "alice", "mnist"); got != mnist || funcErr != "" {
		t.Errorf("%v %s", got, funcErr)
	}
}

func TestErrorsOfFunctionsShowThePathAndTheProblem(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	misspelled := job([]string{"true"})
	misspelled["task_roles"].(tree)["worker"].(tree)["comands"] = []string{"true"}
	for name, c := range map[string]struct {
		function string
		argument any
		want     string
	}{
		"an attribute that does not exist": {"resolve_prerequisites", misspelled, `task_roles["worker"].comands: Unknown argument: Unknown attribute "comands" in a task role. Did you mean "commands"?`},
		"no task roles":                    {"export_protocol", tree{"name": "x"}, "Missing argument: This job requires the attribute task_roles."},
		"a role without resources":         {"export_protocol", tree{"name": "x", "task_roles": tree{"w": tree{"image": "a:1", "commands": []any{"true"}}}}, `task_roles["w"]: Missing argument: This task role requires the attribute resources.`},
		"no name":                          {"export_protocol", tree{"task_roles": job(nil)["task_roles"]}, "Missing argument: This job requires the attribute name"},
		"a string instead of a list":       {"export_protocol", worker(job(nil), tree{"commands": "true"}), `task_roles["worker"].commands: Wrong type of value: commands must be a list of strings, but it is a string`},
		"an invalid order":                 {"export_protocol", job([]string{"true"}, tree{"task_role_order": "worker"}), "task_role_order must be a list of strings: must be a list, but is a string"},
		"no object":                        {"export_protocol", "job", "the argument must be an object with the attributes of a job"},
		"an unknown prerequisite":          {"export_protocol", worker(job([]string{"true"}), tree{"prerequisites": []any{tree{"use": "nobody"}}}), `task_roles["worker"].prerequisites[0]: Unknown prerequisite`},
		"no YAML":                          {"parse_protocol", "a: [", "yaml:1"},
	} {
		if _, funcErr := tf.call(c.function, c.argument); !strings.Contains(funcErr, c.want) || strings.HasSuffix(funcErr, ".") {
			t.Errorf("%s: no %q in %q", name, c.want, funcErr)
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
