// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// terraform simulates Terraform at the protocol level with one provider block.
// Use it only for properties that terraform-plugin-testing cannot check:
// warnings, counts and paths of diagnostics, private state, unknown provider
// blocks, deferral, actions, lists, killed processes and concurrent plans.
// CONTRIBUTING.md contains the complete list; package acceptance tests everything
// else.
type terraform struct {
	t      testing.TB
	server tfprotov6.ProviderServer
	schema *tfprotov6.GetProviderSchemaResponse
	dir    string // directory of the local cluster
	block  tree   // the provider block
}

// tree is a configuration as a JSON-like tree.
type tree = map[string]any

// start serves a provider configured for the local cluster in a directory.
func start(t testing.TB, dir string) *terraform {
	t.Helper()
	tf := startWith(t, tree{"local": tree{"directory": dir, "user": "alice"}})
	tf.dir = dir
	t.Cleanup(func() { removeAll(t, dir) })
	return tf
}

func startWith(t testing.TB, configuration tree) *terraform {
	t.Helper()
	return serve(t, newProvider("test"), configuration)
}

func serve(t testing.TB, p *openpai, configuration tree) *terraform {
	t.Helper()
	tf := &terraform{t: t, server: newServer(p, providerserver.NewProtocol6)}
	var err error
	if tf.schema, err = tf.server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{}); err != nil {
		t.Fatal(err)
	}
	tf.configure(configuration)
	return tf
}

func (tf *terraform) configure(configuration tree) {
	tf.t.Helper()
	tf.block = configuration
	v := tf.value(configuration, tf.schema.Provider.ValueType())
	resp, err := tf.server.ConfigureProvider(tf.t.Context(), &tfprotov6.ConfigureProviderRequest{TerraformVersion: "1.11.4", Config: tf.encode(v)})
	if err != nil {
		tf.t.Fatal(err)
	}
	if text := diagnosticsText(resp.Diagnostics); text != "" {
		tf.t.Fatalf("configure:\n%s", text)
	}
}

// unknown represents an unknown value in a tree.
type unknown struct{}

func (tf *terraform) value(t any, typ tftypes.Type) tftypes.Value {
	tf.t.Helper()
	v, err := shape.Value(normal(t), typ)
	if err != nil {
		tf.t.Fatalf("%v: %v", t, err)
	}
	v, err = tftypes.Transform(v, func(_ *tftypes.AttributePath, part tftypes.Value) (tftypes.Value, error) {
		var s string
		if part.Type().Is(tftypes.String) && part.IsKnown() && !part.IsNull() && part.As(&s) == nil && s == unknownMark {
			return unknownValue(tftypes.String), nil
		}
		return part, nil
	})
	if err != nil {
		tf.t.Fatal(err)
	}
	return v
}

const unknownMark = "\x00unknown"

// normal converts the Go values in tests to the values of a tree.
func normal(v any) any {
	switch x := v.(type) {
	case unknown:
		return unknownMark
	case int:
		return hclspec.Number(string(shape.MarshalTree(x)))
	case []string:
		list := make([]any, len(x))
		for i, s := range x {
			list[i] = s
		}
		return list
	case []any:
		list := make([]any, len(x))
		for i, e := range x {
			list[i] = normal(e)
		}
		return list
	case map[string]any:
		m := map[string]any{}
		for k, e := range x {
			m[k] = normal(e)
		}
		return m
	}
	return v
}

func (tf *terraform) encode(v tftypes.Value) *tfprotov6.DynamicValue {
	tf.t.Helper()
	d, err := tfprotov6.NewDynamicValue(v.Type(), v)
	if err != nil {
		tf.t.Fatal(err)
	}
	return &d
}

// instance is one resource in the state.
type instance struct {
	tf       *terraform
	name     string // openpai_job
	typ      tftypes.Type
	state    tftypes.Value
	private  []byte
	identity *tfprotov6.ResourceIdentityData
}

func (tf *terraform) resource(name string) *instance {
	tf.t.Helper()
	s := tf.schema.ResourceSchemas[name]
	if s == nil {
		tf.t.Fatalf("no resource %s", name)
	}
	typ := s.ValueType()
	return &instance{tf: tf, name: name, typ: typ, state: tftypes.NewValue(typ, nil)}
}

// null returns the state of a resource that does not exist.
func (i *instance) null() tftypes.Value { return tftypes.NewValue(i.typ, nil) }

// planned is a plan of one resource.
type planned struct {
	config, state tftypes.Value
	private       []byte
	identity      *tfprotov6.ResourceIdentityData
	replace       []string
	diagnostics   string
}

func (p *planned) action(prior tftypes.Value) string {
	switch {
	case strings.Contains(p.diagnostics, "error: "):
		return "error"
	case prior.IsNull() && p.state.IsNull():
		return "none"
	case prior.IsNull():
		return "create"
	case p.state.IsNull():
		return "destroy"
	case len(p.replace) > 0:
		return "replace"
	case p.state.Equal(prior):
		return "none"
	}
	return "update"
}

func (i *instance) validate(config tree) string {
	i.tf.t.Helper()
	resp, err := i.tf.server.ValidateResourceConfig(i.tf.t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: i.name, Config: i.tf.encode(i.tf.value(config, i.typ)),
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
	})
	if err != nil {
		i.tf.t.Fatal(err)
	}
	return diagnosticsText(resp.Diagnostics)
}

// plan validates and plans in a separate walk. If config is nil, it plans the
// deletion.
func (i *instance) plan(config tree) *planned {
	i.tf.t.Helper()
	i.tf.configure(i.tf.block)
	return i.planBeside(config)
}

// planBeside plans in the same Terraform run as the previous plan, so it does
// not configure the provider again.
func (i *instance) planBeside(config tree) *planned {
	i.tf.t.Helper()
	if config != nil {
		if text := i.validate(config); text != "" {
			return &planned{diagnostics: text}
		}
	}
	return i.planFrom(config, i.state, i.private)
}

func (i *instance) planFrom(config tree, prior tftypes.Value, private []byte) *planned {
	i.tf.t.Helper()
	p := &planned{config: tftypes.NewValue(i.typ, nil)}
	proposed := p.config
	if config != nil {
		p.config = i.tf.value(config, i.typ)
		proposed = i.proposed(p.config, prior)
	}
	resp, err := i.tf.server.PlanResourceChange(i.tf.t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: i.name, PriorState: i.tf.encode(prior), ProposedNewState: i.tf.encode(proposed), Config: i.tf.encode(p.config),
		PriorPrivate: private, PriorIdentity: i.identity,
	})
	if err != nil {
		i.tf.t.Fatal(err)
	}
	p.diagnostics = diagnosticsText(resp.Diagnostics)
	for _, at := range resp.RequiresReplace {
		if changedAt(prior, resp.PlannedState, i.typ, at) {
			p.replace = append(p.replace, at.String())
		}
	}
	p.private, p.identity = resp.PlannedPrivate, resp.PlannedIdentity
	if resp.PlannedState != nil {
		p.state = i.decode(resp.PlannedState)
	}
	return p
}

// changedAt reports whether the plan changes the value at a path. If the
// value does not change, Terraform does not replace the resource.
func changedAt(prior tftypes.Value, planned *tfprotov6.DynamicValue, typ tftypes.Type, at *tftypes.AttributePath) bool {
	after, err := planned.Unmarshal(typ)
	if err != nil || prior.IsNull() {
		return false
	}
	before, _, errBefore := tftypes.WalkAttributePath(prior, at)
	now, _, errNow := tftypes.WalkAttributePath(after, at)
	if errBefore != nil || errNow != nil {
		return (errBefore == nil) != (errNow == nil)
	}
	b, okB := before.(tftypes.Value)
	n, okN := now.(tftypes.Value)
	return okB && okN && !b.Equal(n)
}

// proposed merges a configuration with the computed values from the prior
// state, like Terraform. No attribute of the provider can be both set and
// computed.
func (i *instance) proposed(config, prior tftypes.Value) tftypes.Value {
	values := maps.Clone(attributesOf(config))
	before := attributesOf(prior)
	for _, a := range i.tf.schema.ResourceSchemas[i.name].Block.Attributes {
		switch {
		case a.WriteOnly:
			values[a.Name] = tftypes.NewValue(a.ValueType(), nil)
		case a.Computed && before != nil:
			values[a.Name] = before[a.Name]
		}
	}
	return tftypes.NewValue(i.typ, values)
}

func (i *instance) decode(d *tfprotov6.DynamicValue) tftypes.Value {
	i.tf.t.Helper()
	v, err := d.Unmarshal(i.typ)
	if err != nil {
		i.tf.t.Fatal(err)
	}
	return v
}

// apply plans and applies. It returns the action and the diagnostics. A
// replacement is a deletion followed by a creation.
func (i *instance) apply(config tree) (action, text string) {
	i.tf.t.Helper()
	i.awaitBegin()
	p := i.plan(config)
	action = p.action(i.state)
	switch action {
	case "error", "none":
		return action, p.diagnostics
	case "replace":
		if text := i.applyPlanned(i.planFrom(nil, i.state, i.private)); text != "" {
			return action, text
		}
		warnings := p.diagnostics
		p = i.planFrom(config, i.state, nil)
		return action, warnings + i.applyPlanned(p)
	}
	return action, p.diagnostics + i.applyPlanned(p)
}

// applyPlanned applies a plan.
func (i *instance) applyPlanned(p *planned) string {
	i.tf.t.Helper()
	resp, err := i.tf.server.ApplyResourceChange(i.tf.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: i.name, PriorState: i.tf.encode(i.state), PlannedState: i.tf.encode(p.state), Config: i.tf.encode(p.config),
		PlannedPrivate: p.private, PlannedIdentity: p.identity,
	})
	if err != nil {
		i.tf.t.Fatal(err)
	}
	after := i.decode(resp.NewState)
	if text := diagnosticsText(resp.Diagnostics); !strings.Contains(text, "error: ") {
		agree(i.tf.t, p.state, after)
	}
	i.state, i.private, i.identity = after, resp.Private, resp.NewIdentity
	return diagnosticsText(resp.Diagnostics)
}

// agree fails the test if a value after apply differs from its known planned
// value or is still unknown.
func agree(t testing.TB, planned, after tftypes.Value) {
	t.Helper()
	for name, v := range attributesOf(planned) {
		if v.IsFullyKnown() && !v.Equal(attributesOf(after)[name]) {
			t.Errorf("%s was planned as %s, but is %s after apply", name, v, attributesOf(after)[name])
		}
	}
	if !after.IsFullyKnown() {
		t.Errorf("unknown after apply: %s", after)
	}
}

// refresh reads the resource.
func (i *instance) refresh() string {
	i.tf.t.Helper()
	resp, err := i.tf.server.ReadResource(i.tf.t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: i.name, CurrentState: i.tf.encode(i.state), Private: i.private, CurrentIdentity: i.identity,
	})
	if err != nil {
		i.tf.t.Fatal(err)
	}
	i.state, i.private, i.identity = i.decode(resp.NewState), resp.Private, resp.NewIdentity
	return diagnosticsText(resp.Diagnostics)
}

// importIdentity imports a resource by its identity and reads the resource.
func (i *instance) importIdentity(identity tree) string {
	i.tf.t.Helper()
	schemas, err := i.tf.server.GetResourceIdentitySchemas(i.tf.t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		i.tf.t.Fatal(err)
	}
	v := i.tf.value(identity, schemas.IdentitySchemas[i.name].ValueType())
	return i.importAs(&tfprotov6.ImportResourceStateRequest{
		TypeName: i.name, Identity: &tfprotov6.ResourceIdentityData{IdentityData: i.tf.encode(v)},
	})
}

func (i *instance) importAs(req *tfprotov6.ImportResourceStateRequest) string {
	i.tf.t.Helper()
	resp, err := i.tf.server.ImportResourceState(i.tf.t.Context(), req)
	if err != nil {
		i.tf.t.Fatal(err)
	}
	if text := diagnosticsText(resp.Diagnostics); text != "" {
		return text
	}
	got := resp.ImportedResources[0]
	i.state, i.private, i.identity = i.decode(got.State), got.Private, got.Identity
	return i.refresh()
}

func (i *instance) text(name string) string { return stringOr(attributesOf(i.state)[name], "") }

// diagnosticsText formats diagnostics as lines "severity: path: summary: detail".
func diagnosticsText(diags []*tfprotov6.Diagnostic) string {
	var b strings.Builder
	for _, d := range diags {
		b.WriteString(map[tfprotov6.DiagnosticSeverity]string{tfprotov6.DiagnosticSeverityError: "error: ", tfprotov6.DiagnosticSeverityWarning: "warning: "}[d.Severity])
		if d.Attribute != nil {
			b.WriteString(d.Attribute.String() + ": ")
		}
		b.WriteString(d.Summary + ": " + strings.ReplaceAll(d.Detail, "\n\n", " ") + "\n")
	}
	return b.String()
}
