package install

import "github.com/openpai/terraform-provider-openpai/internal/framework"

const userRole = "openpai-user"

// users returns the namespaced role that plan, apply, status, logs and exec
// need, and its binding. Volumes are of the whole cluster and stay with the
// administrator; a storage that names a claim needs none.
func users(o Options) []object {
	write := []string{"get", "list", "watch", "create", "update", "patch", "delete"}
	objects := []object{{
		"apiVersion": rbacVersion, "kind": "Role", "metadata": meta(userRole, o.JobNamespace),
		"rules": []object{
			rule(framework.Group, []string{"frameworks"}, write),
			rule("", []string{"configmaps", "secrets", "serviceaccounts", "persistentvolumeclaims"}, write),
			// A user may grant only what he has: the Role of a job reads its
			// own Framework and patches one ConfigMap.
			rule("rbac.authorization.k8s.io", []string{"roles", "rolebindings"}, write),
			rule("coordination.k8s.io", []string{"leases"}, write),
			rule("", []string{"pods", "pods/log", "events"}, []string{"get", "list", "watch"}),
			rule("", []string{"pods/exec", "pods/portforward"}, []string{"create", "get"}),
			rule("apps", []string{"statefulsets"}, []string{"get", "list"}),
		},
	}}
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
