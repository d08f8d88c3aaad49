// SPDX-License-Identifier: MPL-2.0

package parity

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/provider"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// terraform calls the provider to plan and apply resources, as Terraform
// does. It collects the diagnostics.
type terraform struct {
	t      *testing.T
	server tfprotov6.ProviderServer
	schema *tfprotov6.GetProviderSchemaResponse
	found  []diagnostic
	text   strings.Builder
	// hidden is the attribute whose value is unknown.
	hidden place
}

// place identifies an attribute of a resource, or of the provider block.
type place struct{ resource, attribute string }

func newTerraform(t *testing.T) *terraform {
	tf := &terraform{t: t, server: provider.NewServer("", providerserver.NewProtocol6)}
	var err error
	if tf.schema, err = tf.server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{}); err != nil {
		t.Fatal(err)
	}
	return tf
}

// declared is the configuration value of a resource or of the provider block.
// sources maps paths in the model to attributes of the value.
type declared struct {
	resource string // address of the value; "" for the provider block
	value    tftypes.Value
	sources  hclspec.SourceMap
}

// declare converts a part of the model to a provider value, and determines the
// path of each attribute.
func (tf *terraform) declare(resource string, tree any, typ tftypes.Type, places func(*shape.Decoder, tftypes.Value)) declared {
	tf.t.Helper()
	v, err := shape.Value(tree, typ)
	if err != nil {
		tf.t.Fatalf("%v: %v", tree, err)
	}
	d := shape.NewDecoder()
	places(d, v)
	if tf.hidden.resource == resource && tf.hidden.attribute != "" {
		v = tf.hide(v)
	}
	return declared{resource, v, d.Places.Sources}
}

// hide makes the value of the attribute in tf.hidden unknown.
func (tf *terraform) hide(v tftypes.Value) tftypes.Value {
	tf.t.Helper()
	v, err := tftypes.Transform(v, func(at *tftypes.AttributePath, part tftypes.Value) (tftypes.Value, error) {
		if attributePath(at).String() == tf.hidden.attribute {
			return tftypes.NewValue(part.Type(), tftypes.UnknownValue), nil
		}
		return part, nil
	})
	if err != nil {
		tf.t.Fatal(err)
	}
	return v
}

// failed collects the diagnostics about a value, and reports whether one of them
// is an error.
func (tf *terraform) failed(about declared, diags []*tfprotov6.Diagnostic) bool {
	failed := false
	for _, d := range diags {
		isError := d.Severity == tfprotov6.DiagnosticSeverityError
		failed = failed || isError
		at := attributePath(d.Attribute)
		fmt.Fprintf(&tf.text, "%s\n  at %s\n  %s\n", d.Summary, at, d.Detail)
		tf.found = append(tf.found, diagnostic{
			summary: d.Summary, severity: map[bool]string{true: "error", false: "warning"}[isError],
			reported: place{about.resource, at.String()}, attribute: about.written(at), sources: about.sources,
		})
	}
	return failed
}

// written returns the path of an attribute, or of the nearest enclosing attribute
// in d. The openpai CLI also shows the enclosing block if an argument is missing.
func (d declared) written(at path.Path) string {
	has := map[string]bool{}
	for _, r := range d.sources {
		has[r.Filename] = true
	}
	for len(at.Steps()) > 0 && !has[at.String()] {
		at = at.ParentPath()
	}
	return at.String()
}

// attributePath converts a protocol path to a framework path. A nil path
// becomes the empty path, which means the whole resource.
func attributePath(p *tftypes.AttributePath) path.Path {
	at := path.Empty()
	if p == nil {
		return at
	}
	for _, step := range p.Steps() {
		switch s := step.(type) {
		case tftypes.AttributeName:
			at = at.AtName(string(s))
		case tftypes.ElementKeyString:
			at = at.AtMapKey(string(s))
		case tftypes.ElementKeyInt:
			at = at.AtListIndex(int(s))
		}
	}
	return at
}

func (tf *terraform) dynamic(v tftypes.Value) *tfprotov6.DynamicValue {
	tf.t.Helper()
	d, err := tfprotov6.NewDynamicValue(v.Type(), v)
	if err != nil {
		tf.t.Fatal(err)
	}
	return &d
}

func (tf *terraform) configure(block declared) bool {
	tf.t.Helper()
	valid, err := tf.server.ValidateProviderConfig(tf.t.Context(), &tfprotov6.ValidateProviderConfigRequest{Config: tf.dynamic(block.value)})
	if err != nil {
		tf.t.Fatal(err)
	}
	if tf.failed(block, valid.Diagnostics) {
		return false
	}
	resp, err := tf.server.ConfigureProvider(tf.t.Context(), &tfprotov6.ConfigureProviderRequest{Config: tf.dynamic(block.value)})
	if err != nil {
		tf.t.Fatal(err)
	}
	return !tf.failed(block, resp.Diagnostics)
}

// state is Terraform's state of one resource.
type state struct {
	value   tftypes.Value
	private []byte
}

// plan also validates the resource. It returns nil if there are errors.
func (tf *terraform) plan(name string, r declared, prior *state) *state {
	tf.t.Helper()
	config := tf.dynamic(r.value)
	valid, err := tf.server.ValidateResourceConfig(tf.t.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: name, Config: config})
	if err != nil {
		tf.t.Fatal(err)
	}
	if tf.failed(r, valid.Diagnostics) {
		return nil
	}
	before := tf.before(r, prior)
	plan, err := tf.server.PlanResourceChange(tf.t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: name, PriorState: tf.dynamic(before.value), PriorPrivate: before.private, ProposedNewState: config, Config: config,
	})
	if err != nil {
		tf.t.Fatal(err)
	}
	if tf.failed(r, plan.Diagnostics) {
		return nil
	}
	return tf.kept(r, plan.PlannedState, plan.PlannedPrivate)
}

// apply also plans the resource. It returns nil if there are errors.
func (tf *terraform) apply(name string, r declared, prior *state) *state {
	tf.t.Helper()
	planned := tf.plan(name, r, prior)
	if planned == nil {
		return nil
	}
	applied, err := tf.server.ApplyResourceChange(tf.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: name, PriorState: tf.dynamic(tf.before(r, prior).value), PlannedState: tf.dynamic(planned.value), PlannedPrivate: planned.private, Config: tf.dynamic(r.value),
	})
	if err != nil {
		tf.t.Fatal(err)
	}
	if tf.failed(r, applied.Diagnostics) {
		return nil
	}
	return tf.kept(r, applied.NewState, applied.Private)
}

func (tf *terraform) before(r declared, prior *state) *state {
	if prior == nil {
		return &state{value: tftypes.NewValue(r.value.Type(), nil)}
	}
	return prior
}

func (tf *terraform) kept(r declared, v *tfprotov6.DynamicValue, private []byte) *state {
	tf.t.Helper()
	value, err := v.Unmarshal(r.value.Type())
	if err != nil {
		tf.t.Fatal(err)
	}
	return &state{value, private}
}
