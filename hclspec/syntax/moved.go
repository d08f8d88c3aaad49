package syntax

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/zclconf/go-cty/cty"
)

// movable are the kinds of declarations whose address may change.
var movable = map[string]int{"job": 1, "prerequisite": 2, "storage": 1}

var addressForm = map[string]string{"job": "job.name", "prerequisite": "prerequisite.type.name", "storage": "storage.name"}

func (d *decoder) decodeMoved() {
	for i, b := range d.blocks["moved"] {
		path := hclspec.Path("moved").Index(i)
		d.ws.Sources[path] = b.DefRange
		content := d.content(b.Body, blockShape(hclspec.MovedBlock))
		from, ok1 := d.movedAddress(b, content, "from", path)
		to, ok2 := d.movedAddress(b, content, "to", path)
		if !ok1 || !ok2 {
			continue
		}
		if kindOf(from) != kindOf(to) {
			d.report(hclspec.InvalidAddress.At(b.DefRange, "%s cannot become %s: both addresses must be of one kind.", from, to))
			continue
		}
		d.ws.Moved = append(d.ws.Moved, &hclspec.Moved{From: from, To: to, Path: path})
	}
}

func kindOf(a hclspec.Address) string {
	kind, _, _ := strings.Cut(a.String(), ".")
	kind, _, _ = strings.Cut(kind, "[")
	return kind
}

func (d *decoder) movedAddress(b *hcl.Block, content *hcl.BodyContent, name string, path hclspec.Path) (hclspec.Address, bool) {
	a := content.Attributes[name]
	if a == nil {
		d.report(hclspec.MissingArgument.At(b.DefRange, "This moved block needs the argument %s, an address such as job.mnist.", name))
		return "", false
	}
	at := a.Expr.Range()
	d.ws.Sources[path.Attr(name)] = at
	t, diags := hcl.AbsTraversalForExpr(a.Expr)
	if diags.HasErrors() {
		d.report(hclspec.InvalidAddress.At(at, "%s is an address such as job.mnist or prerequisite.data.mnist, not a computed value.", name))
		return "", false
	}
	labels, known := movable[t.RootName()]
	if !known {
		d.report(hclspec.InvalidAddress.At(at, "%s starts with job, prerequisite or storage, but this starts with %s.%s", name, t.RootName(), hclspec.Suggest(t.RootName(), sortedKeys(movable))))
		return "", false
	}
	address, ok := addressOf(t, labels)
	if !ok {
		d.report(hclspec.InvalidAddress.At(at, "An address of a %s is %s, maybe with a key in brackets after it.", t.RootName(), addressForm[t.RootName()]))
	}
	return address, ok
}

// addressOf turns a traversal with so many labels, and maybe an instance key,
// into an address.
func addressOf(t hcl.Traversal, labels int) (hclspec.Address, bool) {
	if len(t) < labels+1 || len(t) > labels+2 {
		return "", false
	}
	var parts []string
	for i := 1; i < len(t); i++ {
		name, ok := stepName(t, i)
		if !ok {
			return "", false
		}
		if i > labels {
			if index, isIndex := t[i].(hcl.TraverseIndex); !isIndex || index.Key.Type() != cty.String {
				return "", false
			}
			parts[len(parts)-1] = instanceLabel(parts[len(parts)-1], name)
			continue
		}
		parts = append(parts, name)
	}
	return hclspec.NewAddress(t.RootName(), parts...), true
}
