// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ProviderSchema returns the attributes of a provider block that declares the
// object. No attribute is required, because the environment can set each
// attribute.
func (o *Object) ProviderSchema() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{}
	for _, a := range o.Attributes {
		attributes[a.Name] = a.providerSchema()
	}
	return attributes
}

func (a *Attribute) providerSchema() schema.Attribute {
	doc := a.Doc()
	switch a.Form {
	case Bool:
		return schema.BoolAttribute{Optional: true, MarkdownDescription: doc}
	case Integer:
		return schema.Int64Attribute{Optional: true, MarkdownDescription: doc}
	case StringList:
		return schema.ListAttribute{ElementType: types.StringType, Optional: true, MarkdownDescription: doc}
	case StringMap:
		return schema.MapAttribute{ElementType: types.StringType, Optional: true, MarkdownDescription: doc}
	case IntegerMap:
		return schema.MapAttribute{ElementType: types.Int64Type, Optional: true, MarkdownDescription: doc}
	case DynamicValue:
		return schema.DynamicAttribute{Optional: true, MarkdownDescription: doc}
	case Single:
		return schema.SingleNestedAttribute{Attributes: a.Object.ProviderSchema(), Optional: true, MarkdownDescription: doc}
	case List:
		return schema.ListNestedAttribute{NestedObject: schema.NestedAttributeObject{Attributes: a.Object.ProviderSchema()}, Optional: true, MarkdownDescription: doc}
	case Map:
		return schema.MapNestedAttribute{NestedObject: schema.NestedAttributeObject{Attributes: a.Object.ProviderSchema()}, Optional: true, MarkdownDescription: doc}
	}
	return schema.StringAttribute{Optional: true, MarkdownDescription: doc}
}
