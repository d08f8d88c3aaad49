// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/openpai/terraform-provider-openpai/provider"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// terraform makes the provider calls of Terraform for a main.tf with one block and
// no prior state. Without provider.tf, it uses the local cluster of the current
// directory. It validates and plans a resource, reads a data source, or invokes an
// action. "apply" also creates the resource, "import ADDRESS ID" imports it, and
// "move TYPE FILE" moves it from the state of another resource. The diagnostics
// are printed at the end.
func terraform(out io.Writer, command []string) error {
	c := &terraformRun{server: provider.NewServer("", providerserver.NewProtocol6)}
	err := c.start()
	if err == nil && len(c.diagnostics) == 0 {
		err = c.do(command)
	}
	for _, d := range c.diagnostics {
		fmt.Fprintf(out, "Error: %s\n\n  %s\n\n", d.Summary, d.Detail)
	}
	for _, w := range c.warnings {
		fmt.Fprintf(out, "Warning: %s\n\n", w)
	}
	return err
}

func (c *terraformRun) do(command []string) error {
	kind, name, tree, err := onlyBlock("main.tf")
	switch {
	case err != nil:
		return err
	case kind == "data":
		return c.read(name, tree)
	case kind == "action":
		return c.invoke(name, tree)
	case command[0] == "import":
		return c.take(name, command[2])
	case command[0] == "move":
		return c.move(name, command[1], command[2])
	}
	return c.create(name, tree, command[0] == "apply")
}

// terraformRun is one run of Terraform.
type terraformRun struct {
	server      tfprotov6.ProviderServer
	schema      *tfprotov6.GetProviderSchemaResponse
	diagnostics []*tfprotov6.Diagnostic
	warnings    []string // warnings that a data source returns in an attribute
}

// failed records the diagnostics, and reports whether one of them is an error.
func (c *terraformRun) failed(found []*tfprotov6.Diagnostic) bool {
	c.diagnostics = append(c.diagnostics, found...)
	for _, d := range found {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			return true
		}
	}
	return false
}

func (c *terraformRun) start() (err error) {
	ctx := context.Background()
	if c.schema, err = c.server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{}); err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	written := any(map[string]any{"local": map[string]any{"directory": dir, "user": "ada"}})
	if _, missing := os.Stat("provider.tf"); missing == nil {
		if _, _, written, err = onlyBlock("provider.tf"); err != nil {
			return err
		}
	}
	config, err := dynamic(written, c.schema.Provider.ValueType())
	if err != nil {
		return err
	}
	resp, err := c.server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{Config: config})
	if err == nil {
		c.failed(resp.Diagnostics)
	}
	return err
}

func (c *terraformRun) create(name string, tree any, apply bool) error {
	ctx, typ := context.Background(), c.schema.ResourceSchemas[name].ValueType()
	if body, ok := tree.(map[string]any); ok && body["count"] != nil {
		delete(body, "count") // if count is set, plan the resource twice
		if err := c.create(name, tree, false); err != nil {
			return err
		}
		c.diagnostics = nil
	}
	config, err := dynamic(tree, typ)
	if err != nil {
		return err
	}
	none, err := tfprotov6.NewDynamicValue(typ, tftypes.NewValue(typ, nil))
	if err != nil {
		return err
	}
	valid, err := c.server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: name, Config: config})
	if err != nil || c.failed(valid.Diagnostics) {
		return err
	}
	plan, err := c.server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{TypeName: name, PriorState: &none, ProposedNewState: config, Config: config})
	if err != nil || c.failed(plan.Diagnostics) || !apply {
		return err
	}
	applied, err := c.server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
		TypeName: name, PriorState: &none, PlannedState: plan.PlannedState, Config: config, PlannedPrivate: plan.PlannedPrivate, PlannedIdentity: plan.PlannedIdentity,
	})
	if err == nil {
		c.failed(applied.Diagnostics)
	}
	return err
}

func (c *terraformRun) take(name, id string) error {
	resp, err := c.server.ImportResourceState(context.Background(), &tfprotov6.ImportResourceStateRequest{TypeName: name, ID: id})
	if err == nil {
		c.failed(resp.Diagnostics)
	}
	return err
}

func (c *terraformRun) move(name, from, file string) error {
	state, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	resp, err := c.server.MoveResourceState(context.Background(), &tfprotov6.MoveResourceStateRequest{
		SourceTypeName: from, SourceState: &tfprotov6.RawState{JSON: state}, TargetTypeName: name,
	})
	if err == nil {
		c.failed(resp.Diagnostics)
	}
	return err
}

func (c *terraformRun) invoke(name string, tree any) error {
	config, err := dynamic(tree.(map[string]any)["config"], c.schema.ActionSchemas[name].Schema.ValueType())
	if err != nil {
		return err
	}
	stream, err := c.server.(tfprotov6.ActionServer).InvokeAction(context.Background(), &tfprotov6.InvokeActionRequest{ActionType: name, Config: config})
	if err != nil {
		return err
	}
	for e := range stream.Events {
		if end, ok := e.Type.(tfprotov6.CompletedInvokeActionEventType); ok {
			c.failed(end.Diagnostics)
		}
	}
	return nil
}

func (c *terraformRun) read(name string, tree any) error {
	typ := c.schema.DataSourceSchemas[name].ValueType()
	config, err := dynamic(tree, typ)
	if err != nil {
		return err
	}
	resp, err := c.server.ReadDataSource(context.Background(), &tfprotov6.ReadDataSourceRequest{TypeName: name, Config: config})
	if err != nil || c.failed(resp.Diagnostics) {
		return err
	}
	state, err := resp.State.Unmarshal(typ)
	if err != nil {
		return err
	}
	var values map[string]tftypes.Value
	var warnings []tftypes.Value
	if err := state.As(&values); err != nil {
		return err
	}
	if w, has := values["warnings"]; has {
		err = w.As(&warnings)
	}
	for _, w := range warnings {
		var text string
		if err := w.As(&text); err != nil {
			return err
		}
		c.warnings = append(c.warnings, text)
	}
	return err
}

// dynamic sets missing attributes to null.
func dynamic(tree any, typ tftypes.Type) (*tfprotov6.DynamicValue, error) {
	v, err := shape.Value(tree, typ)
	if err != nil {
		return nil, err
	}
	d, err := tfprotov6.NewDynamicValue(typ, v)
	return &d, err
}

// onlyBlock parses a file with one block and constant arguments.
func onlyBlock(name string) (kind, label string, tree any, err error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return "", "", nil, err
	}
	file, diags := hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	if diags.HasErrors() {
		return "", "", nil, diags
	}
	block := file.Body.(*hclsyntax.Body).Blocks[0]
	tree, err = constants(block.Body)
	return block.Type, block.Labels[0], tree, err
}

// constants converts a nested block to an object.
func constants(body *hclsyntax.Body) (map[string]any, error) {
	values := map[string]any{}
	for key, a := range body.Attributes {
		v, diags := a.Expr.Value(nil)
		if diags.HasErrors() {
			return nil, diags
		}
		text, err := ctyjson.Marshal(v, v.Type())
		if err != nil {
			return nil, err
		}
		if values[key], err = shape.ParseJSON(text); err != nil {
			return nil, err
		}
	}
	for _, b := range body.Blocks {
		inner, err := constants(b.Body)
		if err != nil {
			return nil, err
		}
		values[b.Type] = inner
	}
	return values, nil
}
