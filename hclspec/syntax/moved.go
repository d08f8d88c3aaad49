package syntax

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/zclconf/go-cty/cty"
)

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
		d.ws.Moved = append(d.ws.Moved, &hclspec.Moved{From: from, To: to, Path: path})
	}
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
		d.report(InvalidAddress.At(at, "%s is the address of a job, such as job.mnist, not a computed value.", name))
		return "", false
	}
	if t.RootName() != "job" {
		d.report(InvalidAddress.At(at, "%s is the address of a job, such as job.mnist, but this starts with %s. Only jobs exist under their address.", name, t.RootName()))
		return "", false
	}
	address, ok := addressOf(t)
	if !ok {
		d.report(InvalidAddress.At(at, "The address of a job is job.name, maybe with a key in brackets after it."))
	}
	return address, ok
}

// addressOf turns a traversal with one label, and maybe an instance key, into
// an address.
func addressOf(t hcl.Traversal) (hclspec.Address, bool) {
	if len(t) < 2 || len(t) > 3 {
		return "", false
	}
	label, ok := stepName(t, 1)
	if ok && len(t) == 3 {
		index, isIndex := t[2].(hcl.TraverseIndex)
		if ok = isIndex && index.Key.Type() == cty.String; ok {
			label = instanceLabel(label, index.Key.AsString())
		}
	}
	return hclspec.NewAddress(t.RootName(), label), ok
}
