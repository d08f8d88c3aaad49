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
	// Doc says what the block is for.
	Doc string

	// ForEach is set on what may have for_each, at the top of a file.
	ForEach bool
	// Repeatable is set where several blocks may have the same labels.
	Repeatable bool
	// Ordered is set where the order of the blocks has a meaning. Terraform,
	// which keeps them in a map, then has a list of their labels too.
	Ordered bool
	// LabelValidated is set where [Validate] checks the label.
	LabelValidated bool

	// Versioned is set on what may have a protocolVersion in the protocol.
	Versioned bool
	// Aliases are the keys of an early draft of the protocol, with the present
	// ones.
	Aliases map[string]string
	// UnknownKeys is what an unknown key in the protocol is.
	UnknownKeys UnknownKeys
	// Value is the Go field that the protocol writes in place of the whole
	// block: secrets are a mapping from label to value.
	Value string
}

// UnknownKeys is what becomes of keys that a block does not have.
type UnknownKeys int

// The ways to treat unknown keys.
const (
	UnknownKeysRejected UnknownKeys = iota
	// UnknownKeysIgnored warns of them: OpenPAI's rest-server lets them pass.
	// Source: microsoft/pai: src/rest-server/src/config/v2/protocol.js.
	UnknownKeysIgnored
)

// Field returns the field with that HCL name, or nil.
func (b *Block) Field(name string) *Field {
	for i := range b.Fields {
		if b.Fields[i].Name == name {
			return &b.Fields[i]
		}
	}
	return nil
}

// ByProtocol returns the field with that protocol name, or nil.
func (b *Block) ByProtocol(name string) *Field {
	for i := range b.Fields {
		if b.Fields[i].Protocol == name && name != "" {
			return &b.Fields[i]
		}
	}
	return nil
}

// ExtraKeysField returns the field that holds the keys of a mapping of the protocol that
// have no field, or nil. The mapping is [KeepsBlock] or the name of one.
func (b *Block) ExtraKeysField(mapping string) *Field {
	for i := range b.Fields {
		if b.Fields[i].ExtraKeys == mapping {
			return &b.Fields[i]
		}
	}
	return nil
}

// IsLabel reports whether a field is written as a label in HCL.
func (b *Block) IsLabel(f *Field) bool { return slices.Contains(b.Labels, f.Go) }

// InBody reports whether a field is written in the body of the block in HCL.
func (b *Block) InBody(f *Field) bool { return !b.IsLabel(f) && !f.ProtocolOnly }

// LabelKey returns the field whose key holds the label in the protocol. It is
// nil for blocks without a label, and for those that the protocol keeps in a
// mapping by their label, see Keyed.
func (b *Block) LabelKey() *Field {
	for i := range b.Fields {
		f := &b.Fields[i]
		if f.Protocol != "" && len(b.Labels) > 0 && f.Go == b.Labels[len(b.Labels)-1] {
			return f
		}
	}
	return nil
}

// Keyed reports whether the protocol keeps the blocks in a mapping by their
// label.
func (b *Block) Keyed() bool { return len(b.Labels) > 0 && b.LabelKey() == nil }

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }
