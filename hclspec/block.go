// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"reflect"
	"slices"
)

// Block describes a struct of the model.
type Block struct {
	// Name is the block type in HCL: "task_role".
	Name string
	// Labels are the Go fields that hold the labels, in order.
	Labels []string
	// Type is the struct.
	Type   reflect.Type
	Fields []Field
	// Doc describes the purpose of the block in the documentation.
	Doc string

	// ForEach is set if a top-level block of this type accepts for_each.
	ForEach bool
	// Repeatable is set if several blocks may have the same labels.
	Repeatable bool
	// Ordered is set if the order of the blocks matters. The Terraform schema
	// stores the blocks in a map, which loses their order. Therefore, the
	// schema also contains a list of the labels in order.
	Ordered bool
	// LabelValidated reports whether [Validate] checks the label.
	LabelValidated bool

	// Versioned is set if the protocol allows a protocolVersion in the block.
	Versioned bool
	// Aliases maps keys of an early draft of the protocol to the current keys.
	Aliases map[string]string
	// UnknownKeys determines how the protocol decoder treats unknown keys.
	UnknownKeys UnknownKeys
	// Value is the name of a Go field of the block. In the protocol, the
	// value of this field represents the whole block. For example, secrets in
	// the protocol are a map from labels to values.
	Value string
}

// UnknownKeys determines how a decoder treats keys that a block does not
// define.
type UnknownKeys int

// Values of UnknownKeys: an unknown key is an error, or the decoder ignores
// the key with a warning.
const (
	UnknownKeysRejected UnknownKeys = iota
	// UnknownKeysIgnored causes only a warning, because OpenPAI's rest-server
	// accepts unknown keys. Source: microsoft/pai:
	// src/rest-server/src/config/v2/protocol.js.
	UnknownKeysIgnored
)

// Field returns the field with the given HCL name, or nil if there is none.
func (b *Block) Field(name string) *Field {
	for i := range b.Fields {
		if b.Fields[i].Name == name {
			return &b.Fields[i]
		}
	}
	return nil
}

// ByProtocol returns the field with the given protocol name, or nil.
func (b *Block) ByProtocol(name string) *Field {
	for i := range b.Fields {
		if b.Fields[i].Protocol == name && name != "" {
			return &b.Fields[i]
		}
	}
	return nil
}

// ExtraKeysField returns the field that stores the remaining keys of a protocol mapping
// (keys without a separate field), or nil. The argument is [ExtraKeysOfBlock] or the
// name of a nested mapping.
func (b *Block) ExtraKeysField(mapping string) *Field {
	for i := range b.Fields {
		if b.Fields[i].ExtraKeys == mapping {
			return &b.Fields[i]
		}
	}
	return nil
}

// IsLabel reports whether HCL writes a field as a label.
func (b *Block) IsLabel(f *Field) bool { return slices.Contains(b.Labels, f.Go) }

// InBody reports whether HCL writes a field in the body of the block.
func (b *Block) InBody(f *Field) bool { return !b.IsLabel(f) }

// withEffect returns a copy in which each field has the effect e. Fields in
// nested blocks keep their effects.
func (b *Block) withEffect(e Effect) *Block {
	copied := *b
	copied.Fields = slices.Clone(b.Fields)
	for i := range copied.Fields {
		copied.Fields[i].Effect = e
	}
	return &copied
}

// LabelKey returns the field that stores the label in the protocol. It
// returns nil for blocks without a label. It also returns nil for blocks that
// the protocol stores in a map keyed by label; see [Block.Keyed].
func (b *Block) LabelKey() *Field {
	for i := range b.Fields {
		f := &b.Fields[i]
		if f.Protocol != "" && len(b.Labels) > 0 && f.Go == b.Labels[len(b.Labels)-1] {
			return f
		}
	}
	return nil
}

// Keyed reports whether the protocol stores the blocks in a map keyed by
// label.
func (b *Block) Keyed() bool { return len(b.Labels) > 0 && b.LabelKey() == nil }

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }
