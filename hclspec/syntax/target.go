// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/zclconf/go-cty/cty"
)

// target is a declaration that expressions can refer to.
type target struct {
	// kind is "storage", "cluster", or the type of the prerequisite.
	kind   string
	labels []string
	// module is the declaring module, "" for the root and inside a job.
	module hclspec.Address
	block  *hcl.Block
	// loop is set when the keys of for_each are known.
	loop *loop
}

// referenceType is the type of all references. Lists, conditionals and for
// expressions can therefore contain references to different kinds of blocks.
var referenceType = cty.Object(map[string]cty.Type{"address": cty.String, "name": cty.String, "type": cty.String})

// value returns the reference. For a block with for_each, it returns an
// object that maps each key to its reference. It returns false if the
// evaluation of the keys failed.
func (t *target) value(s *scope) (cty.Value, bool) {
	if t.block.Type != "prerequisite" || !hasForEach(t.block) {
		return t.reference(""), true
	}
	if t.loop == nil {
		if !s.enter("the keys of "+t.address("").String(), t.block.DefRange) {
			return cty.DynamicVal, false
		}
		t.loop = s.decoder.instances(t.block, frame{})
		s.leave()
	}
	if !t.loop.ok {
		return cty.DynamicVal, false
	}
	byKey := map[string]cty.Value{}
	for _, in := range t.loop.instances {
		byKey[in.key] = t.reference(in.key)
	}
	return cty.ObjectVal(byKey), true
}

func (t *target) reference(key string) cty.Value {
	name := t.labels[len(t.labels)-1]
	if key != "" {
		name = instanceLabel(name, key)
	}
	return cty.ObjectVal(map[string]cty.Value{
		"address": cty.StringVal(t.address(key).String()),
		"name":    cty.StringVal(name),
		"type":    cty.StringVal(t.kind),
	})
}

func (t *target) address(key string) hclspec.Address {
	labels := append([]string(nil), t.labels...)
	if key != "" {
		labels[len(labels)-1] = instanceLabel(labels[len(labels)-1], key)
	}
	return hclspec.NewAddress(t.block.Type, labels...).In(t.module)
}
