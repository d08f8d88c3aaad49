// SPDX-License-Identifier: MPL-2.0

package render

import (
	"cmp"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Access contains the objects that grant a gang's init containers access to the
// API server. The init containers can read only the job's Framework and a small
// shared ConfigMap with the host table. They can also patch the ConfigMap. All
// objects except Hosts are nil if the job uses an existing account.
type Access struct {
	Hosts       *framework.ConfigMap
	Account     *framework.ServiceAccount
	Role        *framework.Role
	RoleBinding *framework.RoleBinding
}

// waitsForPeers reports whether tasks wait for each other. Init containers
// need the API server only if tasks wait for each other.
func waitsForPeers(job *resolve.Job) bool {
	tasks := 0
	for _, role := range job.TaskRoles {
		tasks += role.Instances
	}
	return job.GangAllocation && (tasks > 1 || job.Rescale == "in_place")
}

func (r *renderer) needsAccess() bool { return !r.target.Local && waitsForPeers(r.job) }

// access returns the objects that let init containers access the API server,
// or nil if no init container needs the API server.
func (r *renderer) access() *Access {
	if !r.needsAccess() {
		return nil
	}
	a := &Access{Hosts: &framework.ConfigMap{APIVersion: "v1", Kind: "ConfigMap", Metadata: r.meta(contract.HostsConfigMap(r.job.Framework))}}
	if !r.ownAccount() {
		return a
	}
	name := contract.RuntimeAccount(r.job.Framework)
	a.Account = &framework.ServiceAccount{APIVersion: "v1", Kind: "ServiceAccount", Metadata: r.meta(name), AutomountServiceAccountToken: pointer(false)}
	a.Role = &framework.Role{APIVersion: framework.RBACVersion, Kind: "Role", Metadata: r.meta(name), Rules: []framework.PolicyRule{
		{APIGroups: []string{"frameworkcontroller.microsoft.com"}, Resources: []string{"frameworks"}, ResourceNames: []string{r.job.Framework}, Verbs: []string{"get", "list", "watch"}},
		{APIGroups: []string{""}, Resources: []string{"configmaps"}, ResourceNames: []string{a.Hosts.Metadata.Name}, Verbs: []string{"get", "list", "watch", "patch"}},
	}}
	a.RoleBinding = &framework.RoleBinding{
		APIVersion: framework.RBACVersion, Kind: "RoleBinding", Metadata: r.meta(name),
		Subjects: []framework.Subject{{Kind: "ServiceAccount", Name: name, Namespace: cmp.Or(r.target.Namespace, "default")}},
		RoleRef:  framework.RoleRef{APIGroup: "rbac.authorization.k8s.io", Kind: "Role", Name: name},
	}
	return a
}

// ownAccount reports whether a role uses a service account that apply creates
// for the job.
func (r *renderer) ownAccount() bool {
	for _, role := range r.job.TaskRoles {
		if r.existingAccount(role) == "" {
			return true
		}
	}
	return false
}

// existingAccount returns the configured service account, or "".
func (r *renderer) existingAccount(role *resolve.TaskRole) string {
	if chosen := r.podSettings(role).ServiceAccount; chosen != "" {
		return chosen
	}
	return r.target.serviceAccount()
}

// account returns the ServiceAccount of a role's Pods. If the result is "",
// the Pods use the namespace's default account, but without its token.
func (r *renderer) account(role *resolve.TaskRole) string {
	if chosen := r.existingAccount(role); chosen != "" {
		return chosen
	}
	if r.needsAccess() {
		return contract.RuntimeAccount(r.job.Framework)
	}
	return ""
}

// tokenSeconds is the lifetime of a service account token, in seconds. The
// kubelet renews tokens.
const tokenSeconds = 3600

// tokenVolume has the format of the token volume that Kubernetes adds
// automatically. Only the init container mounts the volume. Kubernetes before
// 1.20 does not have kube-root-ca.crt. The runtime image must then contain
// the API server's certificate.
func tokenVolume() framework.Volume {
	return framework.Volume{Name: volumeToken, Projected: map[string]any{"sources": []any{
		map[string]any{"serviceAccountToken": map[string]any{"path": "token", "expirationSeconds": tokenSeconds}},
		map[string]any{"configMap": map[string]any{"name": "kube-root-ca.crt", "optional": true, "items": []any{map[string]any{"key": "ca.crt", "path": "ca.crt"}}}},
		map[string]any{"downwardAPI": map[string]any{"items": []any{map[string]any{"path": "namespace", "fieldRef": map[string]any{"fieldPath": "metadata.namespace"}}}}},
	}}}
}
