// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/zclconf/go-cty/cty"
)

func (d *decoder) decodeMoved() {
	for i, b := range d.blocks["moved"] {
		path := d.path("moved").Index(i)
		d.ws.Sources[path] = b.DefRange
		content := d.content(b.Body, blockShape(hclspec.MovedBlock))
		from, ok1 := d.movedAddress(b, content, "from", path)
		to, ok2 := d.movedAddress(b, content, "to", path)
		if !ok1 || !ok2 {
			continue
		}
		if from.IsModule() != to.IsModule() {
			d.report(InvalidAddress.At(b.DefRange, "\"from\" is %s, but \"to\" is %s. A job can move only to a job address, and a module only to a module address.", from, to))
			continue
		}
		d.ws.Moved = append(d.ws.Moved, &hclspec.Moved{From: from.In(d.module), To: to.In(d.module), Path: path})
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
		d.report(InvalidAddress.At(at, "%s must be a job or module address, such as job.mnist, not a computed value.", name))
		return "", false
	}
	module, rest, ok := moduleOf(t)
	if ok && len(rest) == 0 {
		return module, true
	}
	if kind := firstName(rest); ok && kind != "job" {
		d.report(InvalidAddress.At(at, "%s must be a job or module address, such as job.mnist, but it starts with %s. Only jobs and modules can move.", name, kind))
		return "", false
	}
	address, good := addressOf(rest)
	if !ok || !good {
		d.report(InvalidAddress.At(at, "A job address is job.name, optionally followed by a key in brackets. For a job in a module, the address begins with module.name."))
		return "", false
	}
	return address.In(module), true
}

// moduleOf splits off the module address. ok is false if no name follows the
// word module.
func moduleOf(t hcl.Traversal) (module hclspec.Address, rest hcl.Traversal, ok bool) {
	for len(t) > 0 && firstName(t) == "module" {
		name, named := stepName(t, 1)
		if !named {
			return "", nil, false
		}
		t = t[2:]
		key := ""
		if index, isIndex := keyOf(t); isIndex {
			key, t = index, t[1:]
		}
		module = hclspec.ModuleAddress(module, name, key)
	}
	return module, t, true
}

// firstName returns the first name in a traversal, which may be relative.
func firstName(t hcl.Traversal) string {
	if len(t) == 0 {
		return ""
	}
	if root, isRoot := t[0].(hcl.TraverseRoot); isRoot {
		return root.Name
	}
	name, _ := stepName(t, 0)
	return name
}

// keyOf returns the instance key at the start of a traversal.
func keyOf(t hcl.Traversal) (string, bool) {
	if len(t) == 0 {
		return "", false
	}
	index, isIndex := t[0].(hcl.TraverseIndex)
	if !isIndex || index.Key.Type() != cty.String {
		return "", false
	}
	return index.Key.AsString(), true
}

// addressOf converts a traversal to an address. The traversal must have one
// label, and may have an instance key.
func addressOf(t hcl.Traversal) (hclspec.Address, bool) {
	if len(t) < 2 || len(t) > 3 {
		return "", false
	}
	label, ok := stepName(t, 1)
	if ok && len(t) == 3 {
		var key string
		key, ok = keyOf(t[2:])
		label = instanceLabel(label, key)
	}
	return hclspec.NewAddress(firstName(t), label), ok
}

// followModules replaces each module move with moves of its jobs.
func (d *decoder) followModules() {
	var all []*hclspec.Moved
	for _, m := range d.ws.Moved {
		if !m.To.IsModule() {
			all = append(all, m)
			continue
		}
		for _, job := range d.ws.Jobs {
			rest, ok := strings.CutPrefix(job.Address().String(), m.To.String())
			if ok && strings.ContainsAny(rest[:1], ".[") {
				all = append(all, &hclspec.Moved{From: m.From + hclspec.Address(rest), To: job.Address(), Path: m.Path})
			}
		}
	}
	d.ws.Moved = all
}
