package syntax

import (
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
		files:    in.Files,
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
	d.variables(in)
	d.bindNames()
	d.decodeOpenPAI()
	d.decodeDeclarations()
	d.decodeMoved()
	d.scope.evaluateLocals()
	return d.ws, hclspec.Sort(d.diags)
}

// decoder is the state of one Decode.
type decoder struct {
	files map[string][]byte
	ws    *hclspec.Workspace
	diags hcl.Diagnostics
	scope *scope
	// blocks holds the top-level blocks by type, in the order of files and
	// lines.
	blocks map[string]hcl.Blocks
	// declared finds a top-level block by its type and labels.
	declared map[string]*hcl.Block
}

func (d *decoder) report(diags ...*hcl.Diagnostic) { d.diags = append(d.diags, diags...) }
