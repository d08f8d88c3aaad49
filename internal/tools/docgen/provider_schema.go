// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/openpai/terraform-provider-openpai/provider"
)

// registryName is the only full name under which tfplugindocs finds a schema.
const registryName = "registry.terraform.io/hashicorp/openpai"

// providerSchema returns the provider's schema in the format of
// `terraform providers schema -json`.
// https://developer.hashicorp.com/terraform/cli/commands/providers/schema
func providerSchema() (_ []byte, err error) {
	ctx, server := context.Background(), provider.NewServer("", providerserver.NewProtocol6)
	s, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err == nil && len(s.Diagnostics) > 0 {
		err = errors.New(s.Diagnostics[0].Summary)
	}
	if err != nil {
		return nil, fmt.Errorf("read the schema of the provider: %w", err)
	}
	identities, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return nil, fmt.Errorf("read the identities of the provider: %w", err)
	}
	described := &tfjson.ProviderSchema{
		ConfigSchema:            schemaJSON(s.Provider),
		ResourceSchemas:         each(s.ResourceSchemas, schemaJSON),
		DataSourceSchemas:       each(s.DataSourceSchemas, schemaJSON),
		ListResourceSchemas:     each(s.ListResourceSchemas, schemaJSON),
		ActionSchemas:           each(s.ActionSchemas, actionJSON),
		Functions:               each(s.Functions, functionJSON),
		ResourceIdentitySchemas: each(identities.IdentitySchemas, identityJSON),
	}
	return json.Marshal(tfjson.ProviderSchemas{
		FormatVersion: "1.0", Schemas: map[string]*tfjson.ProviderSchema{registryName: described},
	})
}

func each[From, To any](in map[string]From, convert func(From) To) map[string]To {
	out := make(map[string]To, len(in))
	for name, v := range in {
		out[name] = convert(v)
	}
	return out
}

func schemaJSON(s *tfprotov6.Schema) *tfjson.Schema {
	return &tfjson.Schema{Version: uint64(s.Version), Block: blockJSON(s.Block)}
}

func actionJSON(a *tfprotov6.ActionSchema) *tfjson.ActionSchema {
	return &tfjson.ActionSchema{Block: blockJSON(a.Schema.Block)}
}

func blockJSON(b *tfprotov6.SchemaBlock) *tfjson.SchemaBlock {
	nested := make(map[string]*tfjson.SchemaBlockType, len(b.BlockTypes))
	for _, n := range b.BlockTypes {
		nested[n.TypeName] = &tfjson.SchemaBlockType{NestingMode: blockNesting[n.Nesting], Block: blockJSON(n.Block)}
	}
	return &tfjson.SchemaBlock{
		Attributes: attributesJSON(b.Attributes), NestedBlocks: nested,
		Description: b.Description, DescriptionKind: tfjson.SchemaDescriptionKindMarkdown, Deprecated: b.Deprecated,
	}
}

func attributesJSON(all []*tfprotov6.SchemaAttribute) map[string]*tfjson.SchemaAttribute {
	out := make(map[string]*tfjson.SchemaAttribute, len(all))
	for _, a := range all {
		described := &tfjson.SchemaAttribute{
			Description: a.Description, DescriptionKind: tfjson.SchemaDescriptionKindMarkdown, Deprecated: a.Deprecated,
			Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive, WriteOnly: a.WriteOnly,
		}
		if n := a.NestedType; n != nil {
			described.AttributeNestedType = &tfjson.SchemaNestedAttributeType{Attributes: attributesJSON(n.Attributes), NestingMode: attributeNesting[n.Nesting]}
		} else {
			described.AttributeType = ctyType(a.Type)
		}
		out[a.Name] = described
	}
	return out
}

var blockNesting = map[tfprotov6.SchemaNestedBlockNestingMode]tfjson.SchemaNestingMode{
	tfprotov6.SchemaNestedBlockNestingModeSingle: tfjson.SchemaNestingModeSingle,
	tfprotov6.SchemaNestedBlockNestingModeList:   tfjson.SchemaNestingModeList,
}

var attributeNesting = map[tfprotov6.SchemaObjectNestingMode]tfjson.SchemaNestingMode{
	tfprotov6.SchemaObjectNestingModeSingle: tfjson.SchemaNestingModeSingle,
	tfprotov6.SchemaObjectNestingModeList:   tfjson.SchemaNestingModeList,
	tfprotov6.SchemaObjectNestingModeMap:    tfjson.SchemaNestingModeMap,
}

func identityJSON(s *tfprotov6.ResourceIdentitySchema) *tfjson.IdentitySchema {
	attributes := make(map[string]*tfjson.IdentityAttribute, len(s.IdentityAttributes))
	for _, a := range s.IdentityAttributes {
		attributes[a.Name] = &tfjson.IdentityAttribute{
			IdentityType: ctyType(a.Type), Description: a.Description,
			RequiredForImport: a.RequiredForImport, OptionalForImport: a.OptionalForImport,
		}
	}
	return &tfjson.IdentitySchema{Version: uint64(s.Version), Attributes: attributes}
}

func functionJSON(f *tfprotov6.Function) *tfjson.FunctionSignature {
	parameters := make([]*tfjson.FunctionParameter, len(f.Parameters))
	for i, p := range f.Parameters {
		parameters[i] = &tfjson.FunctionParameter{Name: p.Name, Description: p.Description, IsNullable: p.AllowNullValue, Type: ctyType(p.Type)}
	}
	return &tfjson.FunctionSignature{
		Summary: f.Summary, Description: f.Description, DeprecationMessage: f.DeprecationMessage,
		Parameters: parameters, ReturnType: ctyType(f.Return.Type),
	}
}

// ctyType panics if the type has no JSON form; every type of a schema has one.
func ctyType(t tftypes.Type) cty.Type {
	text, err := t.MarshalJSON() //nolint:staticcheck // the only conversion to JSON
	if err != nil {
		panic(err)
	}
	typ, err := ctyjson.UnmarshalType(text)
	if err != nil {
		panic(err)
	}
	return typ
}
