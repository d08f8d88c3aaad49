// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Schema returns the attributes of a resource that declares the object.
func (o *Object) Schema() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{}
	for _, a := range o.Attributes {
		attributes[a.Name] = a.schema()
		if a.Order != "" {
			attributes[a.Order] = schema.ListAttribute{
				ElementType: types.StringType, Optional: true,
				MarkdownDescription: fmt.Sprintf("The order of `%s`, as a list of its keys. Other keys follow, sorted. The order determines, for example, the priority.", a.Name),
			}
		}
	}
	if o.hasDefinition() {
		attributes[definitionName] = schema.StringAttribute{
			Optional: true, MarkdownDescription: "If the element is a whole resource, such as `openpai_prerequisite.tools`, this attribute is the `definition` of the resource. Set either `definition` or `use`.",
		}
	}
	return attributes
}

func (a *Attribute) schema() schema.Attribute {
	doc, required := a.Doc(), a.Required()
	if a.Open {
		return schema.DynamicAttribute{Required: required, Optional: !required, MarkdownDescription: doc}
	}
	switch a.Form {
	case Bool:
		return schema.BoolAttribute{Required: required, Optional: !required, MarkdownDescription: doc}
	case Integer:
		return schema.Int64Attribute{Required: required, Optional: !required, MarkdownDescription: doc}
	case StringList:
		return schema.ListAttribute{ElementType: types.StringType, Required: required, Optional: !required, MarkdownDescription: doc}
	case StringMap:
		return schema.MapAttribute{ElementType: types.StringType, Required: required, Optional: !required, MarkdownDescription: doc}
	case IntegerMap:
		return schema.MapAttribute{ElementType: types.Int64Type, Required: required, Optional: !required, MarkdownDescription: doc}
	case DynamicValue:
		return schema.DynamicAttribute{Required: required, Optional: !required, MarkdownDescription: doc}
	case Single:
		return schema.SingleNestedAttribute{Attributes: a.Object.Schema(), Required: required, Optional: !required, MarkdownDescription: doc}
	case List:
		return schema.ListNestedAttribute{NestedObject: schema.NestedAttributeObject{Attributes: a.Object.Schema()}, Required: required, Optional: !required, MarkdownDescription: doc}
	case Map:
		return schema.MapNestedAttribute{NestedObject: schema.NestedAttributeObject{Attributes: a.Object.Schema()}, Required: required, Optional: !required, MarkdownDescription: doc}
	}
	return schema.StringAttribute{Required: required, Optional: !required, MarkdownDescription: doc}
}

// Doc returns the description from the field table, followed by the rules that
// the schema does not express.
func (a *Attribute) Doc() string {
	f := a.Field
	parts := []string{markup(f.Doc)}
	if len(f.Values) > 0 {
		quoted := make([]string, len(f.Values))
		for i, v := range f.Values {
			quoted[i] = "`" + v + "`"
		}
		parts = append(parts, "One of "+strings.Join(quoted, ", ")+".")
	}
	switch {
	case a.Open:
		parts = append(parts, fmt.Sprintf("A list of objects with the attributes of an `openpai_%s`.", a.Object.Block.Name))
	case a.Form == JSON:
		parts = append(parts, "JSON string; use `jsonencode`.")
	case f.Min != nil:
		parts = append(parts, fmt.Sprintf("From %d to %d.", *f.Min, *f.Max))
	case f.Kind == hclspec.Dur, f.Format == hclspec.FormatDuration:
		parts = append(parts, "A duration such as `1h30m`.")
	}
	if f.Default != nil {
		parts = append(parts, fmt.Sprintf("Default: `%v`.", f.Default))
	}
	return strings.Join(parts, " ")
}

// markup encloses the protocol's template tags in backquotes for Markdown.
func markup(doc string) string {
	doc = strings.ReplaceAll(doc, "<% ", "`<% ")
	return strings.ReplaceAll(doc, " %>", " %>`")
}
