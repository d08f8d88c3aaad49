// SPDX-License-Identifier: MPL-2.0

package install

import (
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/render"
)

const (
	userRole     = "openpai-user"
	priorityRole = "openpai-priority-classes"
)

// Permission is a permission of openpai users in the job namespace.
type Permission struct {
	Group     string // API group; "" is the core group
	Resources []string
	Verbs     []string
	// For is the list of commands that fail without the permission. "" means
	// plan and apply.
	For string
	// Uses is the list of verbs with their purposes.
	Uses string
}

// UserPermissions returns the permissions of the namespaced role. They permit
// only the API calls of commands such as plan, apply and exec, and the calls
// that users delegate to the Role of a gang. Volumes are cluster-scoped and
// reserved for the administrator. A storage that uses an existing claim
// requires no permissions for volumes.
func UserPermissions() []Permission {
	return []Permission{
		{Group: framework.Group, Resources: []string{"frameworks"}, Verbs: []string{"get", "list", "watch", "create", "patch", "delete"},
			Uses: "get, list: plan and status; create, patch: apply and stop; delete: destroy; watch: delegated to the Role of a gang"},
		{Resources: []string{"configmaps"}, Verbs: []string{"get", "list", "watch", "create", "patch", "delete"},
			Uses: "get, list: plan; create, patch: apply and publish; delete: destroy; watch: delegated to the Role of a gang (ConfigMaps contain run specifications, records, runs and marketplace items)"},
		{Resources: []string{"secrets"}, Verbs: []string{"get", "create", "patch", "delete"},
			Uses: "get: the workspace key, `secret` blocks and ssh; create, patch: apply; delete: the key, after the last job is deleted"},
		{Resources: []string{"persistentvolumeclaims"}, Verbs: []string{"get", "list", "create", "patch", "delete"},
			Uses: "get: check; create, patch: storage blocks; list, delete: `on_destroy`"},
		{Resources: []string{"serviceaccounts"}, Verbs: []string{"list", "create", "patch"},
			Uses: "list: plan; create, patch: apply (for the account of a gang)"},
		// Users may grant only their own permissions. The Role of a job
		// permits reading its Framework and patching one ConfigMap.
		{Group: "rbac.authorization.k8s.io", Resources: []string{"roles", "rolebindings"}, Verbs: []string{"list", "create", "patch"},
			Uses: "list: plan; create, patch: apply (for the Role of a gang)"},
		{Group: "coordination.k8s.io", Resources: []string{"leases"}, Verbs: []string{"get", "create", "patch", "delete"},
			Uses: "one apply at a time: acquire, renew and release the Lease of the workspace"},
		{Resources: []string{"pods"}, Verbs: []string{"get", "list", "watch"}, For: "status, logs and events",
			Uses: "status and events; looking up Pods for logs"},
		{Resources: []string{"pods/log"}, Verbs: []string{"get"}, For: "logs", Uses: "logs, run, and the task stages in status"},
		{Resources: []string{"events"}, Verbs: []string{"list"}, For: "status and events", Uses: "events; status: the reason why a Pod is waiting"},
		{Resources: []string{"pods/exec"}, Verbs: []string{"create", "get"}, For: "exec", Uses: "exec: create over SPDY, get over WebSocket"},
		{Resources: []string{"pods/portforward"}, Verbs: []string{"create", "get"}, For: "ssh", Uses: "ssh: create over SPDY, get over WebSocket"},
		{Group: "metrics.k8s.io", Resources: []string{"pods"}, Verbs: []string{"list"}, For: "the usage in status", Uses: "resource usage of tasks, from metrics.k8s.io, for status"},
		{Group: "apps", Resources: []string{"statefulsets"}, Verbs: []string{"get"}, For: "the check whether OpenPAI is running",
			Uses: "check that no OpenPAI is running, because its database-controller deletes jobs"},
	}
}

// PriorityClassVerbs returns the verbs for cluster-scoped PriorityClasses.
// Users need these verbs if the cluster has a priority_class block.
func PriorityClassVerbs() []string { return []string{"get", "create", "delete"} }

// permissions returns the Namespace, the Role of its users, and the
// RoleBinding.
func (n namespace) permissions(o Options) []object {
	var rules []object
	for _, p := range UserPermissions() {
		if slices.Contains(p.Resources, "secrets") && len(o.Workspaces) > 0 {
			verbs := slices.DeleteFunc(slices.Clone(p.Verbs), func(verb string) bool { return verb == "get" })
			keys := rule(p.Group, p.Resources, []string{"get"})
			keys["resourceNames"] = keyNames(o.Workspaces)
			rules = append(rules, rule(p.Group, p.Resources, verbs), keys)
			continue
		}
		rules = append(rules, rule(p.Group, p.Resources, p.Verbs))
	}
	return append([]object{n.object(o.level())}, roleAndBinding("Role", userRole, n.name, rules, n.users, n.groups)...)
}

func keyNames(workspaces []string) []string {
	var names []string
	for _, w := range workspaces {
		names = append(names, render.WorkspaceObject(w))
	}
	return names
}

// priorities returns the objects that grant the additional permissions for
// jobs with their own PriorityClasses.
func priorities(o Options) []object {
	rules := []object{rule("scheduling.k8s.io", []string{"priorityclasses"}, PriorityClassVerbs())}
	return roleAndBinding("ClusterRole", priorityRole, "", rules, o.Users, o.Groups)
}

// roleAndBinding returns a role and its binding. It omits the binding if
// there are no users and groups.
func roleAndBinding(kind, name, namespace string, rules []object, users, groups []string) []object {
	objects := []object{{"apiVersion": rbacVersion, "kind": kind, "metadata": metadata(name, namespace), "rules": rules}}
	if len(users)+len(groups) == 0 {
		return objects
	}
	return append(objects, object{
		"apiVersion": rbacVersion, "kind": kind + "Binding", "metadata": metadata(name, namespace),
		"roleRef":  object{"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": name},
		"subjects": append(subjects("User", users), subjects("Group", groups)...),
	})
}

func subjects(kind string, names []string) []object {
	var all []object
	for _, name := range names {
		all = append(all, object{"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": name})
	}
	return all
}
