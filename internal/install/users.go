package install

import "github.com/openpai/terraform-provider-openpai/internal/framework"

const (
	userRole     = "openpai-user"
	priorityRole = "openpai-priority-classes"
)

// Permission is what users of openpai may do in the namespace of the jobs.
type Permission struct {
	Group     string // API group; "" is the core one
	Resources []string
	Verbs     []string
	// For names the commands that fail without it; empty: plan and apply.
	For string
}

var write = []string{"get", "list", "watch", "create", "update", "patch", "delete"}

// UserPermissions returns what the namespaced role permits that plan, apply,
// status, logs, exec and ssh need. Volumes are of the whole cluster and stay with
// the administrator; a storage that names a claim needs none.
func UserPermissions() []Permission {
	return []Permission{
		{Group: framework.Group, Resources: []string{"frameworks"}, Verbs: write},
		{Resources: []string{"configmaps", "secrets", "serviceaccounts", "persistentvolumeclaims"}, Verbs: write},
		// A user may grant only what he has: the Role of a job reads its own
		// Framework and patches one ConfigMap.
		{Group: "rbac.authorization.k8s.io", Resources: []string{"roles", "rolebindings"}, Verbs: write},
		{Group: "coordination.k8s.io", Resources: []string{"leases"}, Verbs: write},
		{Resources: []string{"pods", "pods/log", "events"}, Verbs: []string{"get", "list", "watch"}, For: "status, logs and events"},
		{Resources: []string{"pods/exec"}, Verbs: []string{"create", "get"}, For: "exec"},
		{Resources: []string{"pods/portforward"}, Verbs: []string{"create", "get"}, For: "ssh"},
		{Group: "apps", Resources: []string{"statefulsets"}, Verbs: []string{"get", "list"}, For: "the guard against a running OpenPAI"},
	}
}

// PriorityClassVerbs are what users of clusters with a priority_class block may
// do with PriorityClasses, which are of the whole cluster.
func PriorityClassVerbs() []string { return []string{"get", "create", "delete"} }

// users returns the role of users and its binding.
func users(o Options) []object {
	var rules []object
	for _, p := range UserPermissions() {
		rules = append(rules, rule(p.Group, p.Resources, p.Verbs))
	}
	return granted("Role", userRole, o.JobNamespace, rules, o)
}

// priorities returns what the users need besides, where each job gets a
// PriorityClass of its own.
func priorities(o Options) []object {
	rules := []object{rule("scheduling.k8s.io", []string{"priorityclasses"}, PriorityClassVerbs())}
	return granted("ClusterRole", priorityRole, "", rules, o)
}

// granted returns a role and, when there are users or groups, its binding.
func granted(kind, name, namespace string, rules []object, o Options) []object {
	objects := []object{{"apiVersion": rbacVersion, "kind": kind, "metadata": meta(name, namespace), "rules": rules}}
	if len(o.Users)+len(o.Groups) == 0 {
		return objects
	}
	return append(objects, object{
		"apiVersion": rbacVersion, "kind": kind + "Binding", "metadata": meta(name, namespace),
		"roleRef":  object{"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": name},
		"subjects": subjects(o),
	})
}

func subjects(o Options) []object {
	var subjects []object
	for _, name := range o.Users {
		subjects = append(subjects, object{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": name})
	}
	for _, name := range o.Groups {
		subjects = append(subjects, object{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": name})
	}
	return subjects
}
