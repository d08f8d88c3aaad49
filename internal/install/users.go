package install

import "github.com/openpai/terraform-provider-openpai/internal/framework"

const userRole = "openpai-user"

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
// status, logs and exec need. Volumes are of the whole cluster and stay with
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
		{Group: "apps", Resources: []string{"statefulsets"}, Verbs: []string{"get", "list"}, For: "the guard against a running OpenPAI"},
	}
}

// users returns the role of users and its binding.
func users(o Options) []object {
	var rules []object
	for _, p := range UserPermissions() {
		rules = append(rules, rule(p.Group, p.Resources, p.Verbs))
	}
	objects := []object{{"apiVersion": rbacVersion, "kind": "Role", "metadata": meta(userRole, o.JobNamespace), "rules": rules}}
	if len(o.Users)+len(o.Groups) == 0 {
		return objects
	}
	var subjects []object
	for _, name := range o.Users {
		subjects = append(subjects, object{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": name})
	}
	for _, name := range o.Groups {
		subjects = append(subjects, object{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": name})
	}
	return append(objects, object{
		"apiVersion": rbacVersion, "kind": "RoleBinding", "metadata": meta(userRole, o.JobNamespace),
		"roleRef":  object{"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": userRole},
		"subjects": subjects,
	})
}
