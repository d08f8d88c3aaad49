// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// embedder creates a self-contained copy of a job. It moves required
// workspace declarations into the copy, and converts addresses to names.
type embedder struct {
	*writer
	job *hclspec.Job
	// own is the set of the job's prerequisites. shared maps each module to
	// the prerequisites that it can refer to.
	own    targets
	shared map[hclspec.Address]targets
	names  map[*hclspec.Prerequisite]string // of the moved prerequisites
	// untyped holds the addresses in lists that accept a prerequisite of any
	// type.
	untyped map[hclspec.Address]bool
}

// embed returns a self-contained copy of a job; see embedder. It reports
// fields without an equivalent in the protocol.
func (w *writer) embed(job *hclspec.Job) *hclspec.Job {
	local := *job
	local.Prerequisites = clonePrerequisites(job.Prerequisites)
	local.ReferencePrerequisites = clonePrerequisites(job.ReferencePrerequisites)
	local.TaskRoles = slices.Clone(job.TaskRoles)
	e := &embedder{
		writer: w, job: &local, names: map[*hclspec.Prerequisite]string{}, untyped: map[hclspec.Address]bool{},
		own: newTargets(slices.Concat(local.Prerequisites, local.ReferencePrerequisites), ""), shared: map[hclspec.Address]targets{},
	}
	e.collectReferences(job)
	e.moveAll()
	w.reportUnsupported(hclspec.JobBlock, reflectValue(&local), string(job.Address()), job.Path, "defaults", "default_storages")
	local.Storage = e.storages(job.Storage)
	for i, role := range local.TaskRoles {
		local.TaskRoles[i] = e.role(role)
	}
	for _, p := range local.ReferencePrerequisites {
		e.prerequisite(p, e.name)
	}
	for i := 0; i < len(local.Prerequisites); i++ { // the loop appends to local.Prerequisites
		name := e.name
		if i >= len(job.Prerequisites) {
			name = e.sharedName(local.Prerequisites[i].Module)
		}
		e.prerequisite(local.Prerequisites[i], name)
	}
	return &local
}

func clonePrerequisites(list []*hclspec.Prerequisite) []*hclspec.Prerequisite {
	var copies []*hclspec.Prerequisite
	for _, p := range list {
		p := *p
		copies = append(copies, &p)
	}
	return copies
}

func (e *embedder) role(role *hclspec.TaskRole) *hclspec.TaskRole {
	copied := *role
	owner := fmt.Sprintf("task role %q", role.Name)
	e.reportUnsupported(hclspec.TaskRoleBlock, reflectValue(role), owner, role.Path, "storage")
	resources := hclspec.TaskRoleBlock.Field("resources").Block
	e.reportUnsupported(resources, reflectValue(&role.Resources), owner, role.Path.Attr("resources"))
	copied.Image = e.image(role.Image)
	copied.Data, copied.Output, copied.Script = e.reference(role.Data, "data", e.name), e.reference(role.Output, "output", e.name), e.reference(role.Script, "script", e.name)
	copied.Prerequisites = e.references(role.Prerequisites, e.name)
	if len(role.Storage) > 0 {
		e.report(NotInProtocol, role.Path.Attr("storage"), "The storages of %s are mounted in every task role, because the protocol mounts storages for the whole job.", owner)
		for _, use := range e.storages(role.Storage) {
			if !slices.ContainsFunc(e.job.Storage, func(s *hclspec.StorageUse) bool { return s.Name == use.Name && s.MountPath == use.MountPath }) {
				e.job.Storage = append(e.job.Storage, use)
			}
		}
	}
	return &copied
}

// pluginPrefix is the prefix of the plugin names that OpenPAI supports on a
// prerequisite. Source: microsoft/openpai-runtime: src/init.d/initializer.py.
const pluginPrefix = "com.microsoft.pai.runtimeplugin."

func (e *embedder) prerequisite(p *hclspec.Prerequisite, name namer) {
	if len(p.Callbacks) > 0 && !strings.HasPrefix(p.Plugin, pluginPrefix) {
		e.report(CallbacksIgnored, p.Path.Attr("plugin"), "%s has callbacks, which OpenPAI runs only if plugin is %scmd. If the file is for an OpenPAI server, set plugin to this name.", p.Address(), pluginPrefix)
	}
	if len(p.Fetch) > 0 {
		e.report(NotInProtocol, p.Path.Attr("fetch").Index(0), "The protocol file contains the fetch blocks of %s, but OpenPAI ignores them and downloads nothing. If the job is for an OpenPAI server, add a command that downloads the file.", p.Address())
	}
	if len(p.TemplateVariables) > 0 {
		e.report(NotInProtocol, p.Path.Attr("template_variables"), "The file contains the template variables of %s, but OpenPAI does not fill them in, and rejects references that set them. If the file is for an OpenPAI server, write one prerequisite for each set of values.", p.Address())
	}
	if p.Type != "data" && len(p.URI) > 1 && e.job.Syntax != hclspec.SyntaxProtocol { // for protocol jobs, the decoder already reported a warning
		e.report(URIList, p.Path.Attr("uri"), "The uri of %s has %d addresses. OpenPAI accepts only a single string as the uri, so it rejects the file.", p.Address(), len(p.URI))
	}
	for i, uri := range p.URI {
		if len(template.Tags(uri)) > 0 {
			e.report(URINotRendered, p.Path.Attr("uri").Index(i), "The uri of %s contains a reference, which OpenPAI does not fill in. If the file is for an OpenPAI server, replace the reference with its value.", p.Address())
		}
	}
	p.Require = e.references(p.Require, name)
	p.RequireStorages = e.storages(p.RequireStorages)
}

func (e *embedder) references(refs []hclspec.Reference, name namer) []hclspec.Reference {
	var local []hclspec.Reference
	for _, r := range refs {
		local = append(local, e.reference(r, "", name))
	}
	return local
}

// reference converts an address to a name within the job. kind is the required
// type, or "" for any type.
func (e *embedder) reference(ref hclspec.Reference, kind string, name namer) hclspec.Reference {
	if ref.IsZero() || strings.Contains(ref.Target, "://") {
		return ref
	}
	if local, ok := name(kind, ref.Target); ok {
		ref.Target = local
		return ref
	}
	e.report(UnknownInWorkspace, ref.Path, "%q is declared neither in the job nor in the workspace.", ref.Target)
	return ref
}

// image converts an image reference to a dockerimage prerequisite. The
// protocol requires such a prerequisite for each image.
func (e *embedder) image(ref hclspec.Reference) hclspec.Reference {
	if ref.IsZero() {
		return ref
	}
	if name, ok := e.name("dockerimage", ref.Target); ok {
		return hclspec.Reference{Target: name, Path: ref.Path}
	}
	named := e.job.Syntax == hclspec.SyntaxProtocol || e.job.Syntax == hclspec.SyntaxLegacy
	if named || strings.HasPrefix(ref.Target, "prerequisite.") || strings.HasPrefix(ref.Target, "prerequisite[") {
		return e.reference(ref, "dockerimage", e.name)
	}
	for _, p := range e.job.Prerequisites {
		if p.Type == "dockerimage" && len(p.URI) == 1 && p.URI[0] == ref.Target && p.Auth == nil {
			return hclspec.Reference{Target: p.Name, Path: ref.Path}
		}
	}
	image := &hclspec.Prerequisite{Type: "dockerimage", Name: e.uniqueName("docker_image_0", "dockerimage", false), URI: []string{ref.Target}}
	e.job.Prerequisites = append(e.job.Prerequisites, image)
	return hclspec.Reference{Target: image.Name, Path: ref.Path}
}

// storages replaces addresses with the names of claims.
func (e *embedder) storages(uses []*hclspec.StorageUse) []*hclspec.StorageUse {
	var local []*hclspec.StorageUse
	for _, use := range uses {
		copied := *use
		name := hclspec.StorageName(use.Name)
		declared := e.options.Workspace.StorageIn(e.job.Module, use.Name)
		switch {
		case declared != nil && declared.Claim != "":
			copied.Name = declared.Claim
			if copied.MountPath == "" && name != declared.Claim {
				copied.MountPath = "/mnt/" + name // the default mount path of the storage
			}
		case declared != nil:
			e.report(NotInProtocol, use.Path, "A protocol file cannot declare storages. The file refers to %s as the storage %q: make sure that a storage with this name exists on the OpenPAI cluster.", declared.Address(), name)
			copied.Name = name
		case name != use.Name:
			e.report(UnknownInWorkspace, use.Path, "%q is not declared in the workspace.", use.Name)
		}
		local = append(local, &copied)
	}
	return local
}

// reportUnsupported reports the fields that only HCL has.
func (w *writer) reportUnsupported(b *hclspec.Block, v reflect.Value, owner string, at hclspec.Path, handled ...string) {
	for i := range b.Fields {
		f := &b.Fields[i]
		if f.Protocol != "" || slices.Contains(handled, f.Name) || isDefault(f, f.In(v)) {
			continue
		}
		w.diags = append(w.diags, notInProtocol(w.options.Workspace.Sources.Range(at.Attr(f.Name)), owner, f.Name))
	}
}

func notInProtocol(at hcl.Range, owner, field string) *hcl.Diagnostic {
	return NotInProtocol.At(at, "%s of %s has no equivalent in the protocol and is omitted.", field, owner)
}
