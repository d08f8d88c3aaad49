// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// withoutField maps each exported model field without a table entry to the
// reason.
var withoutField = map[string]string{
	"Job.Label":               "the label of the block",
	"Job.Syntax":              "set by the front end",
	"TaskRole.Name":           "the label of the block",
	"DeploymentTaskRole.Name": "the label of the block",
	"HivedTaskRole.Name":      "the label of the block",
	"Secret.Name":             "the label of the block",
	"Storage.Name":            "the label of the block",
	"Marketplace.Name":        "the label of the block",
	"Cluster.Name":            "the label of the block",
	"Cluster.Access":          "set only by the Terraform provider block",
	"SKU.Name":                "the label of the block",
	"VirtualCluster.Name":     "the label of the block",
	"Variable.Name":           "the label of the block",
	"Protocol.Label":          "the label of the block",
	"Workspace.Dir":           "set by the loader",
	"Workspace.Variables":     "their own blocks, VariableBlock",
	"Workspace.Locals":        "the locals block has any names",
	"Workspace.Secrets":       "their own blocks, SecretBlock",
	"Workspace.Marketplaces":  "their own blocks, MarketplaceBlock",
	"Workspace.Clusters":      "their own blocks, ClusterBlock",
	"Workspace.Storages":      "their own blocks, StorageBlock",
	"Workspace.Prerequisites": "their own blocks, PrerequisiteBlock",
	"Workspace.Jobs":          "their own blocks, JobBlock",
	"Workspace.Protocols":     "their own blocks, ProtocolBlock",
	"Workspace.Moved":         "their own blocks, MovedBlock",
	"Workspace.Policies":      "their own blocks, PolicyBlock",
	"Policy.Name":             "the label of the block",
	"Policy.Range":            "the position of the block",
	"Policy.Directory":        "set by the loader",
	"Policy.When":             "an expression that is evaluated for each plan",
	"Policy.Condition":        "an expression that is evaluated for each plan",
	"Policy.Message":          "an expression that is evaluated for each plan",
	"Workspace.Sources":       "the source map",
	"Job.Module":              "set by the decoder",
	"Prerequisite.Module":     "set by the decoder",
	"Storage.Module":          "set by the decoder",
	"Secret.Module":           "set by the decoder",
	"Module.Module":           "set by the decoder",
	"Module.Name":             "the label of the block",
	"Workspace.Modules":       "their own blocks, ModuleBlock",
	"Variable.Value":          "computed, not set in the block",
}

// valueTypes are the types that the decoder reads as a whole, not field by
// field.
var valueTypes = map[reflect.Type]bool{
	reflect.TypeFor[Reference]():  true,
	reflect.TypeFor[StorageUse](): true,
	reflect.TypeFor[Sensitive]():  true,
	reflect.TypeFor[Local]():      true,

	reflect.TypeFor[ClusterAccess](): true,
}

// allBlocks returns the block descriptions, keyed by struct type.
func allBlocks() map[reflect.Type]*Block {
	found := map[reflect.Type]*Block{}
	var visit func(*Block)
	visit = func(b *Block) {
		if b == nil || b.Type == nil || found[b.Type] != nil {
			return
		}
		found[b.Type] = b
		for _, f := range b.Fields {
			visit(f.Block)
		}
	}
	for _, b := range append([]*Block{OpenPAIBlock, VariableBlock, MovedBlock, ModuleBlock, OutputBlock}, RootBlocks...) {
		visit(b)
	}
	return found
}

func TestEveryFieldOfTheModelIsInTheTable(t *testing.T) {
	t.Parallel()
	blocks, used := allBlocks(), map[string]bool{}
	var visit func(reflect.Type)
	seen := map[reflect.Type]bool{}
	check := func(b *Block, typ reflect.Type) {
		for _, sf := range reflect.VisibleFields(typ) {
			name := typ.Name() + "." + sf.Name
			switch {
			case !sf.IsExported() || sf.Anonymous || sf.Type == reflect.TypeFor[Path]():
				continue
			case withoutField[name] != "":
				used[name] = true
			case !describes(b, sf.Name):
				t.Errorf("%s has no entry in the table of %s", name, b.Name)
			}
			visit(sf.Type)
		}
	}
	visit = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice || typ.Kind() == reflect.Map {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || seen[typ] || valueTypes[typ] || typ.PkgPath() != reflect.TypeFor[Job]().PkgPath() {
			return
		}
		seen[typ] = true
		b := blocks[typ]
		if b == nil {
			t.Errorf("the table has no block for %s", typ.Name())
			return
		}
		check(b, typ)
	}
	visit(reflect.TypeFor[Workspace]())
	for name := range withoutField {
		if !used[name] {
			t.Errorf("withoutField contains %s, which does not need an exception", name)
		}
	}
}

func describes(b *Block, goName string) bool {
	for _, f := range b.Fields {
		if f.Go == goName {
			return true
		}
	}
	return false
}

func TestEveryEntryOfTheTableIsSound(t *testing.T) {
	t.Parallel()
	spelling := regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	for typ, b := range allBlocks() {
		names, protocol := map[string]bool{}, map[string]bool{}
		for _, label := range b.Labels {
			if _, ok := typ.FieldByName(label); !ok {
				t.Errorf("%s: label %s is not a field of %s", b.Name, label, typ.Name())
			}
		}
		for i := range b.Fields {
			f := &b.Fields[i]
			where := b.Name + "." + f.Name
			if !spelling.MatchString(f.Name) || names[f.Name] || (f.Protocol != "" && protocol[f.Protocol]) {
				t.Errorf("%s: the name is not snake_case, or it is used twice", where)
			}
			names[f.Name], protocol[f.Protocol] = true, true
			if !strings.HasSuffix(f.Doc, ".") {
				t.Errorf("%s: the documentation is not a sentence", where)
			}
			if f.Go == "" {
				continue
			}
			sf, ok := typ.FieldByName(f.Go)
			if !ok {
				t.Errorf("%s: %s has no field %s", where, typ.Name(), f.Go)
				continue
			}
			if !fits(f, sf.Type) && b != VariableBlock {
				t.Errorf("%s: kind %d does not fit the type %s", where, f.Kind, sf.Type)
			}
			if f.Pattern != "" {
				regexp.MustCompile(f.Pattern)
			}
			if isInteger := f.Kind == Int || f.Kind == OptionalInt || f.Kind == IntMap; isInteger != (f.Min != nil && f.Max != nil) {
				t.Errorf("%s: integers, and only integers, must have two bounds", where)
			}
		}
	}
}

// fits reports whether a struct field of type typ can hold values of f.Kind.
func fits(f *Field, typ reflect.Type) bool {
	switch f.Kind {
	case String:
		return typ.Kind() == reflect.String
	case Bool:
		return typ.Kind() == reflect.Bool
	case Int:
		return typ.Kind() == reflect.Int
	case OptionalInt:
		return typ == reflect.TypeFor[*int]()
	case OptionalBool:
		return typ == reflect.TypeFor[*bool]()
	case OptionalString:
		return typ == reflect.TypeFor[*string]()
	case Dur:
		return typ == reflect.TypeFor[Duration]()
	case Strings, OneOrMore:
		return typ == reflect.TypeFor[[]string]()
	case StringMap:
		return typ == reflect.TypeFor[map[string]string]()
	case IntMap:
		return typ == reflect.TypeFor[map[string]int]()
	case Any:
		return typ == reflect.TypeFor[any]()
	case AnyList:
		return typ == reflect.TypeFor[[]any]()
	case AnyMap:
		return typ == reflect.TypeFor[map[string]any]()
	case Ref:
		return typ == reflect.TypeFor[Reference]() || typ.Kind() == reflect.String
	case Refs:
		return typ == reflect.TypeFor[[]Reference]()
	case StorageUses:
		return typ == reflect.TypeFor[[]*StorageUse]()
	case Text:
		return typ == reflect.TypeFor[*Sensitive]()
	case Object:
		return f.Block != nil && typ == f.Block.Type
	case OptionalObject:
		return f.Block != nil && typ == reflect.PointerTo(f.Block.Type)
	case Objects:
		return f.Block != nil && typ == reflect.SliceOf(reflect.PointerTo(f.Block.Type))
	}
	return false
}
