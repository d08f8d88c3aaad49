package syntax

import (
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Input is what a workspace is decoded from.
type Input struct {
	// Files holds the sources by the name that is shown to the user. A name
	// that ends in .json is read as HCL's JSON syntax.
	Files map[string][]byte
	// Dir is the directory of the workspace; file functions read below it.
	Dir string
	// Values are given for variables, the lowest in rank first: environment,
	// files, options.
	Values []Value
	// Module returns the files of a module. nil: modules cannot be used.
	Module func(ModuleRequest) (*ModuleFiles, *hcl.Diagnostic)
	// PoliciesOnly permits policies and variables only.
	PoliciesOnly bool
	// Undeclared receives the values that no variable takes, in the same order.
	// nil: those are errors, but for values of the environment.
	Undeclared func(Value)
}

// Decode reads the files of one workspace. The workspace is never nil; with
// errors it holds what could be read, which is nothing when a file does not
// parse. The diagnostics are sorted by place.
func Decode(in Input) (*hclspec.Workspace, hcl.Diagnostics) {
	d := &decoder{
		files:    maps.Clone(in.Files),
		find:     in.Module,
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

// decodeAll reads the declarations of a module, those of the modules that it
// calls included.
func (d *decoder) decodeAll() {
	d.decodeDeclarations()
	d.decodeModules()
	d.decodeMoved()
	d.scope.evaluateLocals()
	d.scope.evaluateOutputs()
}

// decoder is the state of one Decode, or of one module in it.
type decoder struct {
	files map[string][]byte
	ws    *hclspec.Workspace
	diags hcl.Diagnostics
	scope *scope
	// parent decodes the calling module, nil for the root. module is the address
	// of this one, and origin what it is read from.
	parent *decoder
	module hclspec.Address
	origin *ModuleFiles
	// calls are the module blocks in order.
	calls []*moduleCall
	// find and modules, the number of modules so far, are those of the root.
	find    func(ModuleRequest) (*ModuleFiles, *hcl.Diagnostic)
	modules int
	// blocks holds the top-level blocks by type, in the order of files and
	// lines.
	blocks map[string]hcl.Blocks
	// declared finds a top-level block by its type and labels.
	declared map[string]*hcl.Block
}

// top is the decoder of the root.
func (d *decoder) top() *decoder {
	for d.parent != nil {
		d = d.parent
	}
	return d
}

// path is that of a declaration of this module.
func (d *decoder) path(relative hclspec.Address) hclspec.Path {
	return hclspec.Path(relative.In(d.module))
}

func (d *decoder) report(diags ...*hcl.Diagnostic) {
	top := d.top()
	top.diags = append(top.diags, diags...)
}
