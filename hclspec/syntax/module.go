// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// ModuleRequest is a request for the files of a module.
type ModuleRequest struct {
	// Call is the module block, without evaluated values.
	Call *hclspec.Module
	// Caller holds the files of the calling module, nil for the root.
	Caller *ModuleFiles
	// At is the position of the source argument. VersionAt is the position of the
	// version argument, or zero if it is absent.
	At, VersionAt hcl.Range
}

// ModuleFiles holds everything that the decoder needs to decode a module.
type ModuleFiles struct {
	// Files holds the sources, keyed by the name shown to the user.
	Files map[string][]byte
	// Dir is the module directory. The module's file functions can read only files in
	// this directory.
	Dir string
	// Package is the directory of the module and of all modules that it may call by
	// path. It is "" for a module in the workspace.
	Package string
	// Foreign is true if the package comes from the network. Foreign modules
	// cannot read other packages on this machine.
	Foreign bool
	// Origin identifies the files in diagnostics. All calls that use the same
	// module files have the same Origin.
	Origin string
	// Parsed caches the parsed files for other calls to the module.
	Parsed *ParsedModule
}

// ParsedModule holds the bodies of a module's files.
type ParsedModule struct {
	bodies []hcl.Body
	failed bool
}

// Limits for modules. Module calls with for_each multiply the number of
// modules.
const (
	maxModuleDepth = 10
	maxModules     = 1000
)

// moduleCall is a module block.
type moduleCall struct {
	*hclspec.Module
	block   *hcl.Block
	content *hcl.BodyContent
	// files is nil after an error, which the decoder has already reported.
	files *ModuleFiles
	// loop is nil until the for_each keys are evaluated.
	loop *loop
	// instances holds the modules by key. The key is "" without for_each.
	instances map[string]*moduleInstance
}

// moduleInstance is one instance of a module call.
type moduleInstance struct {
	*decoder
}

func (c *moduleCall) hasForEach() bool { return c.content.Attributes["for_each"] != nil }

// address returns the address of the module without an instance key.
func (c *moduleCall) address() hclspec.Address {
	return hclspec.ModuleAddress(c.Module.Module, c.Name, "")
}

var (
	// moduleName matches valid module names. The name is part of addresses and job names.
	moduleName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)
	// moduleKey matches valid instance keys. The key is also part of
	// addresses and job names.
	moduleKey = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
)

// prepareModules reads the module blocks and files. The source and version must
// be constant expressions.
func (d *decoder) prepareModules() {
	for _, b := range d.blocks["module"] {
		call := &moduleCall{
			Module:    &hclspec.Module{Name: b.Labels[0], Module: d.module, Path: d.path(hclspec.NewAddress("module", b.Labels...))},
			block:     b,
			content:   d.content(b.Body, blockShape(hclspec.ModuleBlock)),
			instances: map[string]*moduleInstance{},
		}
		d.scope.modules[call.Name] = call
		d.calls = append(d.calls, call)
		d.ws.Sources[call.Path] = b.DefRange
		if !moduleName.MatchString(call.Name) {
			d.report(hclspec.InvalidSpelling.At(labelRange(b, 0), "The module name %q must contain only letters, digits, hyphens and underscores, and must not begin with a digit or hyphen.", call.Name))
			continue
		}
		d.findModule(call)
	}
}

func (d *decoder) findModule(call *moduleCall) {
	call.Source = d.moduleText(call, "source")
	if call.Source == "" {
		return
	}
	if !slices.ContainsFunc(d.ws.Modules, func(m *hclspec.Module) bool { return m.Path == call.Path }) {
		d.ws.Modules = append(d.ws.Modules, call.Module)
	}
	at := d.ws.Sources.Range(call.Path.Attr("source"))
	call.Version = d.moduleText(call, "version")
	if d.top().find == nil {
		d.report(hclspec.InvalidModuleSource.At(at, "%s: modules are not allowed here.", call.address()))
		return
	}
	files, diag := d.top().find(ModuleRequest{Call: call.Module, Caller: d.origin, At: at, VersionAt: d.ws.Sources.Range(call.Path.Attr("version"))})
	if diag != nil {
		d.report(diag)
		return
	}
	if d.calledBy(call, files, at) && d.parseModule(files) {
		call.files = files
	}
}

// moduleText reads a constant string argument.
func (d *decoder) moduleText(call *moduleCall, name string) string {
	a := call.content.Attributes[name]
	if a == nil {
		if f := hclspec.ModuleBlock.Field(name); f.Required {
			d.report(hclspec.MissingArgument.At(call.block.DefRange, "This module block needs the argument %s. %s", name, f.Doc))
		}
		return ""
	}
	d.ws.Sources[call.Path.Attr(name)] = a.Expr.Range()
	if len(a.Expr.Variables()) > 0 || callsFunction(a.Expr) {
		d.report(hclspec.InvalidModuleSource.At(a.Expr.Range(), "The module argument %s must be constant, because openpai reads it before it evaluates any expression.", name))
		return ""
	}
	text := ""
	d.constant(a, cty.String, func(v cty.Value) { text = strings.TrimSpace(v.AsString()) })
	if text == "" && name == "source" {
		d.report(hclspec.InvalidModuleSource.At(a.Expr.Range(), "The module source is empty. Set it to a directory, a git repository or an archive URL."))
	}
	return text
}

func callsFunction(expr hcl.Expression) bool {
	_, ok := expr.(*hclsyntax.FunctionCallExpr)
	return ok
}

// calledBy returns false after it reports a module that calls itself, even
// indirectly, or is nested too deeply.
func (d *decoder) calledBy(call *moduleCall, files *ModuleFiles, at hcl.Range) bool {
	chain := []string{files.Origin}
	for up := d; up != nil; up = up.parent {
		if up.origin == nil {
			continue
		}
		chain = append(chain, up.origin.Origin)
		if up.origin.Origin == files.Origin {
			slices.Reverse(chain)
			d.report(ModuleCycle.At(at, "These modules call each other in a cycle: %s.", strings.Join(chain, " -> ")))
			return false
		}
	}
	if len(chain) > maxModuleDepth {
		d.report(ModuleLimit.At(at, "%s is nested in more than %d modules.", call.address(), maxModuleDepth-1))
		return false
	}
	return true
}

// parseModule parses the files of a module, once for all calls.
func (d *decoder) parseModule(files *ModuleFiles) bool {
	for name, src := range files.Files {
		d.files[name] = src
	}
	if files.Parsed == nil {
		bodies, diags := parseAll(files.Files)
		d.report(diags...)
		files.Parsed = &ParsedModule{bodies, diags.HasErrors()}
	}
	return !files.Parsed.failed
}

// keys evaluates for_each of a module call on first use.
func (s *scope) keys(call *moduleCall) *loop {
	if call.loop != nil {
		return call.loop
	}
	if !s.enter("the keys of "+call.address().String(), call.block.DefRange) {
		return &loop{}
	}
	defer s.leave()
	call.loop = s.decoder.instances(call.block, frame{})
	for _, in := range call.loop.instances {
		if in != nil && !moduleKey.MatchString(in.key) {
			s.decoder.report(InvalidForEach.At(call.content.Attributes["for_each"].Expr.Range(), "The module key %q must contain only letters, digits, hyphens, underscores and dots.", in.key))
			call.loop = &loop{}
			break
		}
	}
	return call.loop
}

// instance returns a module instance, and creates the instance if necessary.
// It returns nil after an error: missing module files, an instance that
// depends on itself, or too many modules.
func (s *scope) instance(call *moduleCall, in *instance) *moduleInstance {
	key := ""
	if in != nil {
		key = in.key
	}
	if made, ok := call.instances[key]; ok {
		return made
	}
	if call.files == nil {
		return nil
	}
	address := hclspec.ModuleAddress(call.Module.Module, call.Name, key)
	if !s.enter("the variables of "+address.String(), call.block.DefRange) {
		return nil
	}
	defer s.leave()
	top := s.decoder.top()
	if top.modules++; top.modules > maxModules {
		if top.modules == maxModules+1 {
			s.decoder.report(ModuleLimit.At(call.block.DefRange, "The workspace has more than %d modules, counting each for_each instance.", maxModules))
		}
		call.instances[key] = nil
		return nil
	}
	made := &moduleInstance{decoder: s.decoder.child(call, address)}
	made.begin(s, call, in)
	call.instances[key] = made
	return made
}

// child returns a new decoder for a called module.
func (d *decoder) child(call *moduleCall, address hclspec.Address) *decoder {
	c := &decoder{
		files: d.files, ws: d.ws, parent: d, module: address, origin: call.files,
		blocks: map[string]hcl.Blocks{}, declared: map[string]*hcl.Block{},
	}
	c.scope = newScope(c, call.files.Dir)
	c.scope.sensitive = d.scope.sensitive
	return c
}

func (m *moduleInstance) begin(caller *scope, call *moduleCall, in *instance) {
	for _, body := range call.files.Parsed.bodies {
		m.declare(body, rootShape())
	}
	m.prepareModules()
	m.moduleVariables(caller, call, in)
	m.bindNames()
}

// decodeModules decodes all called modules, even modules without references.
func (d *decoder) decodeModules() {
	for _, call := range d.calls {
		if call.files == nil {
			continue
		}
		for _, in := range d.scope.keys(call).instances {
			if made := d.scope.instance(call, in); made != nil {
				made.decodeAll()
			}
		}
	}
}

// forbiddenInModules maps each root-only block type to the explanation for
// users.
var forbiddenInModules = map[string]string{
	"openpai":     "This block contains settings for the whole workspace.",
	"cluster":     "Pass the cluster name in a variable.",
	"marketplace": "References in a module use the marketplaces that the root declares.",
	"policy":      "Policies check the plan of the whole workspace.",
	"protocol":    "Declare the job in HCL.",
}

// allowed adds a diagnostic for a block that is forbidden in this module.
func (d *decoder) allowed(b *hcl.Block) bool {
	why := forbiddenInModules[b.Type]
	if d.parent == nil || why == "" {
		return true
	}
	d.report(ModuleForbiddenBlock.At(b.DefRange, "%s declares %s %s block, which is allowed only in the root of the workspace. %s", d.module, article(b.Type), b.Type, why))
	return false
}
