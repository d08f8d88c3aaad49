// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// mounts merges the storages that a task role, its job and its prerequisites
// request.
type mounts struct {
	*reporter
	workspace *hclspec.Workspace
	job       hclspec.Address
	module    hclspec.Address // module of the job
	user      string
	// native is set if the job may use only declared storages.
	native bool
	role   string // `task role "worker"`
	byPath map[string]*Mount
	// origins describes the first request for each path, with the require
	// chain of the request.
	origins map[string]func() string
}

// request describes a storage mount that a declaration requests.
type request struct {
	use    hclspec.StorageUse
	owner  string        // address of the owner, or `task role "worker"`
	origin func() string // owner with its require chain; for diagnostics
	at     hcl.Range
	// foreign is set for requests from marketplace items. Items refer to storages
	// by their names on the cluster.
	foreign bool
	// module is the module of the declaration that requests the storage.
	module hclspec.Address
}

func (m *mounts) add(q request) {
	name := hclspec.StorageName(q.use.Name)
	if name != "" && !hclspec.IsStorageName(name) {
		m.reportAt(hclspec.InvalidStorageName, q.at, "%s mounts the storage %q. A storage name must consist of at most 255 letters, digits, hyphens, underscores and dots, and must begin and end with a letter, digit or underscore.", upperFirst(q.origin()), name)
		return
	}
	declared := m.workspace.StorageIn(q.module, q.use.Name)
	if declared == nil && q.foreign {
		declared = m.workspace.Storage(name)
	}
	if declared == nil && !q.foreign && (m.native || isAddress(q.use.Name, "storage")) {
		var known []string
		for _, s := range m.workspace.Storages {
			if s.Module == q.module {
				known = append(known, s.Name)
			}
		}
		m.reportAt(hclspec.UnknownStorage, q.at, "%s mounts the storage %q, but %s declares %s.%s To use an existing claim, declare storage %q { claim = %q }.",
			upperFirst(q.origin()), name, cmp.Or(q.module.String(), "the workspace"), hclspec.QuoteList(known, "none"), hclspec.Suggest(name, known), name, name)
	}
	m.permitted(declared, q)
	target, ok := m.target(q, name)
	if !ok {
		return
	}
	mount := &Mount{Storage: name, Path: target, ReadOnly: q.use.ReadOnly || declared != nil && declared.ReadOnly, By: []string{q.owner}, Declared: declared}
	if declared != nil && len(m.workspace.Modules) > 0 {
		mount.Storage = storageName(m.workspace, m.module, declared)
		if declared.Module != "" {
			mount.Address = declared.Address().String()
		}
	}
	m.merge(mount, q)
}

func always(s string) func() string { return func() string { return s } }

// permitted reports a storage block that does not permit the user of the job.
// It accepts every user if the block sets groups, because only the cluster
// has the list of members.
func (m *mounts) permitted(s *hclspec.Storage, q request) {
	if s == nil || len(s.Users) == 0 || len(s.Groups) > 0 || slices.Contains(s.Users, m.user) {
		return
	}
	m.reportAt(hclspec.StorageNotPermitted, q.at, "The storage %q is restricted to %s, but the user of %s is %q. The mount is requested by %s.",
		s.Name, hclspec.QuoteList(s.Users, ""), m.job, m.user, q.origin())
}

func isPermission(d *hcl.Diagnostic) bool {
	return hclspec.Code(d) == hclspec.StorageNotPermitted.Code
}

// WithoutPermissions returns the diagnostics that are not in [Job.NotPermitted].
// Only submitting a job requires these permissions. Callers that compare the
// jobs with a cluster must report the omitted diagnostics.
func WithoutPermissions(found hcl.Diagnostics) hcl.Diagnostics {
	return slices.DeleteFunc(slices.Clone(found), isPermission)
}

// target returns the cleaned mount path. It reports an invalid path.
func (m *mounts) target(q request, name string) (string, bool) {
	written := cmp.Or(q.use.MountPath, "/mnt/"+name)
	target := path.Clean(written)
	why := ""
	switch {
	case !strings.HasPrefix(written, "/"):
		why = "is not absolute"
	case target == contract.Root, target == contract.ConfigDir, within(target, contract.Root), within(target, contract.ConfigDir):
		why = "belongs to the runtime"
	case within(contract.Root, target):
		why = "would hide " + contract.Root + ", the runtime directory"
	case len(template.Tags(written)) > 0:
		why = "refers to a secret"
	}
	if why != "" {
		m.reportAt(hclspec.InvalidMountPath, q.at, "%s mounts the storage %q at %q, which %s.", upperFirst(q.origin()), name, written, why)
	}
	return target, why == ""
}

func within(p, dir string) bool { return strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/") }

// merge merges mounts at the same path. It reports a conflict if the storages
// differ.
func (m *mounts) merge(mount *Mount, q request) {
	there := m.byPath[mount.Path]
	if there == nil {
		m.byPath[mount.Path], m.origins[mount.Path] = mount, q.origin
		return
	}
	if there.Storage != mount.Storage {
		m.reportAt(hclspec.StorageConflict, q.at, "In %s, the storages %q and %q have the same mount path %s: %q is requested by %s, %q by %s.",
			m.role, there.Storage, mount.Storage, mount.Path, there.Storage, m.origins[mount.Path](), mount.Storage, q.origin())
		return
	}
	there.ReadOnly = there.ReadOnly && mount.ReadOnly
	if !slices.Contains(there.By, q.owner) {
		there.By = append(there.By, q.owner)
	}
}

// list returns the mounts sorted by path, so that outer mounts come before
// inner mounts. It reports nested mounts.
func (m *mounts) list(role *hclspec.TaskRole) []*Mount {
	var all []*Mount
	for _, mount := range m.byPath {
		all = append(all, mount)
	}
	slices.SortFunc(all, func(a, b *Mount) int { return cmp.Compare(a.Path, b.Path) })
	for i, inner := range all {
		if outer := nearest(inner, all[:i]); outer != nil {
			m.report(NestedMount, role.Path, "In %s, the storage %q at %s is inside the storage %q at %s and hides a part of it.",
				m.role, inner.Storage, inner.Path, outer.Storage, outer.Path)
		}
	}
	return all
}

// nearest returns the innermost mount that contains inner, or nil. The mounts
// must be sorted by path.
func nearest(inner *Mount, before []*Mount) *Mount {
	for _, outer := range slices.Backward(before) {
		if within(inner.Path, outer.Path) {
			return outer
		}
	}
	return nil
}

// storages adds mounts in this order: job, role, prerequisites, plugins.
func (r *resolver) storages(role *hclspec.TaskRole, scope *roleScope, e *expansion) []*Mount {
	m := &mounts{
		reporter: r.reporter, workspace: r.ws, job: r.job.Address(), module: r.job.Module, user: r.user, native: r.native, role: scope.name,
		byPath: map[string]*Mount{}, origins: map[string]func() string{},
	}
	t := r.renderer(scope, scope.name)
	for _, u := range r.job.Storage {
		m.add(request{use: t.storageUse(u), owner: string(r.job.Address()), origin: always(string(r.job.Address())), at: r.sources.Range(u.Path), module: r.job.Module})
	}
	for _, u := range role.Storage {
		m.add(request{use: t.storageUse(u), owner: string(role.Path), origin: always(scope.name), at: r.sources.Range(u.Path), module: r.job.Module})
	}
	for _, i := range e.order() {
		m.addInstance(e, i)
	}
	for _, p := range r.job.Plugins {
		short, _ := contract.Plugin(p.Name)
		if pluginApplies(p, role.Name) && contract.IsStoragePlugin(short) {
			by := "plugin." + short
			m.addPlugin(short, t.object(p.Parameters, p.Path.Attr("parameters")), request{owner: by, origin: always(by), at: r.sources.Range(p.Path), module: r.job.Module})
		}
	}
	return m.list(role)
}

// addInstance adds the mounts that an instance requests, in require_storages or
// in the parameters of a storage plugin.
func (m *mounts) addInstance(e *expansion, i *instance) {
	sources := i.definition.scope.sources
	q := request{owner: i.address, origin: func() string { return i.requirePath(e) }, at: sources.Range(i.definition.Path), foreign: i.definition.source != "", module: i.definition.Module}
	if q.foreign || i.definition.scope.outer != nil { // the definition is an item, or the job declares it
		q.module = m.module
	}
	t := e.renderer(e.role.lookup(e.rendered(i)), sources, i.address)
	for _, u := range i.filled.RequireStorages {
		q.use, q.at = t.storageUse(u), sources.Range(u.Path)
		m.add(q)
	}
	if short, _ := contract.Plugin(i.filled.Plugin); contract.IsStoragePlugin(short) {
		q.at = sources.Range(i.definition.Path)
		m.addPlugin(short, i.values.parameters, q)
	}
}

// requirePath returns a chain of addresses for a message, from the instance to
// an instance in the role's list. Each instance in the chain requires the
// instance before it.
func (i *instance) requirePath(e *expansion) string {
	var t requireChain
	t.add(i.address)
	seen := map[string]bool{i.address: true}
	for !i.listed && len(i.requiredBy) > 0 && !seen[i.requiredBy[0]] {
		seen[i.requiredBy[0]] = true
		i = e.instances[i.requiredBy[0]]
		t.add(i.address)
	}
	return strings.Join(t.list(), ", required by ")
}

func (m *mounts) addPlugin(short string, parameters map[string]any, q request) {
	nameKey, pathKey := "name", "mountPath"
	switch short {
	case contract.PluginTeamwiseStorage:
		names, ok := stringList(parameters["storageConfigNames"])
		if !ok {
			m.reportAt(DefaultStoragesUnknown, q.at, "%s does not list any storage in storageConfigNames, so it mounts nothing.", upperFirst(q.origin()))
		}
		for _, name := range names {
			if name == "" {
				continue // like in OpenPAI
			}
			q.use = hclspec.StorageUse{Name: name}
			m.add(q)
		}
		return
	case contract.PluginRestStorage:
		nameKey, pathKey = "config", "mountPoint"
	}
	name, ok := parameters[nameKey].(string)
	if !ok || name == "" {
		m.reportAt(StoragePluginParameter, q.at, "%s uses the plugin %s, whose parameter %q must be the name of a storage.", upperFirst(q.origin()), short, nameKey)
		return
	}
	q.use = hclspec.StorageUse{Name: name}
	q.use.MountPath, _ = parameters[pathKey].(string)
	q.use.ReadOnly, _ = parameters["readOnly"].(bool)
	m.add(q)
}

func (t *renderer) storageUse(u *hclspec.StorageUse) hclspec.StorageUse {
	use := *u
	use.Name = t.render(u.Name, u.Path.Attr("use"))
	use.MountPath = t.render(u.MountPath, u.Path.Attr("mount_path"))
	return use
}

func (r *resolver) checkDefaultStorages() {
	if r.job.DefaultStorages {
		r.report(DefaultStoragesUnknown, r.job.Path.Attr("storage"),
			"%s requests the default storages of its user. Only an OpenPAI server defines them, so openpai does not mount them. List the required storages.", r.job.Address())
	}
}
