package protocol

import (
	"reflect"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// fields checks a converted struct against the field table, as [decoder.field]
// does for what is read by the table.
func (d *decoder) fields(b *hclspec.Block, v reflect.Value, at hclspec.Path) {
	for i := range b.Fields {
		f := &b.Fields[i]
		field, here := v.FieldByName(f.Go), at.Attr(f.Name)
		switch f.Kind {
		case hclspec.Object:
			d.fields(f.Block, field, here)
		case hclspec.Objects:
			for j := range field.Len() {
				element := field.Index(j).Elem()
				path := here.Index(j)
				if p := element.FieldByName("Path"); p.IsValid() {
					path = hclspec.Path(p.String())
				}
				d.fields(f.Block, element, path)
			}
		default:
			if !field.IsZero() || f.Required || f.Kind == hclspec.Int {
				d.report(hclspec.CheckField(f, field.Interface(), here, d.sources)...)
			}
		}
	}
}
