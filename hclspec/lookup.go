// SPDX-License-Identifier: MPL-2.0

package hclspec

// Lookup returns the field at the end of a workspace path, such as
// job.mnist.task_role["w"].commands[0]. It returns nil for an unknown path, and for
// a whole top-level declaration. For a path into a free-form value, it returns the
// field that holds the value.
func Lookup(path Path) *Field {
	steps := withoutModule(path.steps())
	if len(steps) == 0 || steps[0].kind != stepName {
		return nil
	}
	for _, b := range append([]*Block{OpenPAIBlock, VariableBlock, MovedBlock, ModuleBlock, OutputBlock}, RootBlocks...) {
		if b.Name == steps[0].text {
			return b.lookup(afterLabels(steps[1:], len(b.Labels)))
		}
	}
	return nil
}

// Lookup returns the field at a path relative to this block, such as
// task_role["w"].commands[0] in JobBlock.
func (b *Block) Lookup(path Path) *Field { return b.lookup(path.steps()) }

func (b *Block) lookup(steps []step) *Field {
	if len(steps) == 0 || steps[0].kind != stepName {
		return nil
	}
	f := b.Field(steps[0].text)
	if f == nil || f.Block == nil {
		return f
	}
	rest := steps[1:]
	if f.Kind == Objects {
		rest = afterLabels(rest, len(f.Block.Labels))
	}
	if len(rest) == 0 {
		return f
	}
	return f.Block.lookup(rest)
}

// afterLabels drops the steps that select one of several blocks: the labels,
// then the instance key or index. A label is a name or a key.
func afterLabels(steps []step, labels int) []step {
	for labels > 0 && len(steps) > 0 && steps[0].kind != stepIndex {
		steps = steps[1:]
		labels--
	}
	for len(steps) > 0 && steps[0].kind != stepName {
		steps = steps[1:]
	}
	return steps
}
