// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"encoding/json"
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Input holds everything that Decode needs to decode a workspace.
type Input struct {
	// Files holds the sources by the name shown to the user. A file whose name
	// ends in .json is in HCL's JSON syntax.
	Files map[string][]byte
	// Dir is the workspace directory. In the root module, file functions can
	// read only files in this directory.
	Dir string
	// FileRead receives the path and the hexadecimal SHA-256 hash of each file that
	// a function reads. For a file that fileexists found, the hash is "". Each path
	// begins with Dir or with the directory of a module. FileRead may receive the
	// same file several times. It may be nil.
	FileRead func(path, sum string)
	// Values are the variable values, lowest precedence first: environment,
	// files, options.
	Values []Value
	// Locals maps names of locals in the root module to JSON values. Each JSON value
	// replaces the value of its local; see [hclspec.Local].
	Locals map[string]json.RawMessage
	// Module returns the files of a module. If nil, modules are not allowed.
	Module func(ModuleRequest) (*ModuleFiles, *hcl.Diagnostic)
	// PoliciesOnly permits only policies and variables.
	PoliciesOnly bool
	// Decode calls Undeclared for each value of an undeclared variable, in the
	// order of Values. If Undeclared is nil, Decode ignores undeclared variables
	// from the environment. Other undeclared variables are then errors.
	Undeclared func(Value)
}

// Decode decodes the files of a workspace. The workspace is never nil. If a file
// does not parse, the workspace holds no declarations. After other errors, it
// holds the declarations that Decode could decode. The diagnostics are sorted by
// position.
func Decode(in Input) (*hclspec.Workspace, hcl.Diagnostics) {
	d := &decoder{
		files:    maps.Clone(in.Files),
		find:     in.Module,
		fileRead: in.FileRead,
		replaced: in.Locals,
		policies: in.PoliciesOnly,
		blocks:   map[string]hcl.Blocks{},
		declared: map[string]*hcl.Block{},
		ws:       &hclspec.Workspace{Dir: in.Dir, Sources: hclspec.SourceMap{}},
	}
	d.scope = newScope(d, in.Dir)
	shape := rootShape
	if in.PoliciesOnly {
		shape = policiesShape
	}
	bodies, diags := parseAll(in.Files)
	if d.report(diags...); diags.HasErrors() {
		return d.ws, hclspec.Sort(d.diags)
	}
	for _, body := range bodies {
		d.declare(body, shape())
	}
	d.prepareModules()
	d.variables(in)
	d.bindNames()
	d.decodeOpenPAI()
	d.decodeAll()
	d.followModules()
	return d.ws, hclspec.Sort(d.diags)
}

// decodeAll decodes a module and the modules that the module calls.
func (d *decoder) decodeAll() {
	d.decodeDeclarations()
	d.decodeModules()
	d.decodeMoved()
	d.scope.evaluateLocals()
	d.scope.evaluateOutputs()
}

// decoder is the state of one Decode call for one module. The root module and
// each called module have their own decoder.
type decoder struct {
	files map[string][]byte
	ws    *hclspec.Workspace
	diags hcl.Diagnostics
	scope *scope
	// parent is the decoder of the calling module, nil for the root. module is
	// the address of the module, and origin holds its files.
	parent *decoder
	module hclspec.Address
	origin *ModuleFiles
	// calls holds the module blocks in declaration order.
	calls []*moduleCall
	// find, fileRead and modules are set only in the root decoder. modules is
	// the number of modules that have been decoded.
	find     func(ModuleRequest) (*ModuleFiles, *hcl.Diagnostic)
	fileRead func(path, sum string)
	modules  int
	// replaced holds the JSON values of [Input.Locals]. It is set only in the
	// root decoder.
	replaced map[string]json.RawMessage
	policies bool // [Input.PoliciesOnly]
	// blocks holds the top-level blocks, keyed by type. Each list is in file
	// and line order.
	blocks map[string]hcl.Blocks
	// declared maps a block type and labels to the top-level block.
	declared map[string]*hcl.Block
}

func (d *decoder) top() *decoder {
	for d.parent != nil {
		d = d.parent
	}
	return d
}

// path converts an address in this module to a path from the root.
func (d *decoder) path(relative hclspec.Address) hclspec.Path {
	return hclspec.Path(relative.In(d.module))
}

func (d *decoder) report(diags ...*hcl.Diagnostic) {
	top := d.top()
	top.diags = append(top.diags, diags...)
}
