// SPDX-License-Identifier: MPL-2.0

package render

import (
	"cmp"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Types of the Secrets of a job.
const (
	secretOpaque   = "Opaque"
	secretRegistry = "kubernetes.io/dockerconfigjson"
)

// RegistryKey is the only key of a Secret with image registry logins.
const RegistryKey = ".dockerconfigjson"

// dockerHub is the registry for image references that do not contain a
// registry. Source: microsoft/pai: src/rest-server/src/models/v2/job/k8s.js.
const dockerHub = "https://index.docker.io/v1/"

// secrets renders stubs with all names and keys, but no values.
func (r *renderer) secrets() []*framework.Secret {
	var stubs []*framework.Secret
	if keys := r.secretKeys(); len(keys) > 0 {
		stubs = append(stubs, r.secret(contract.JobSecret(r.job.Framework), secretOpaque, keys))
	}
	if logins := r.registryStub(); logins != "" {
		stubs = append(stubs, r.secret(contract.RegistrySecret(r.job.Framework), secretRegistry, map[string]string{RegistryKey: logins}))
	}
	return stubs
}

func (r *renderer) secret(name, kind string, data map[string]string) *framework.Secret {
	return &framework.Secret{APIVersion: "v1", Kind: "Secret", Type: kind, Metadata: r.meta(name), StringData: data}
}

// secretKeys returns the keys of all used secrets.
func (r *renderer) secretKeys() map[string]string {
	keys := map[string]string{}
	for _, role := range r.job.TaskRoles {
		for _, name := range roleSecrets(role) {
			keys[name] = ""
		}
	}
	return keys
}

// roleSecrets returns the secrets of a role, including the job's ssh key if the
// role has an ssh service.
func roleSecrets(role *resolve.TaskRole) []string {
	if !role.UsesSSH() {
		return role.Secrets
	}
	return append([]string{contract.SecretJobKey}, role.Secrets...)
}

// registryStub returns a login file with empty logins, or "" if no image has a
// login. Kubernetes rejects a Secret of this type if the value is not a login
// file.
func (r *renderer) registryStub() string {
	auths := map[string]struct{}{}
	for _, role := range r.job.TaskRoles {
		if role.Image.Username == "" && role.Image.Password == "" {
			continue
		}
		auths[Registry(role)] = struct{}{}
	}
	if len(auths) == 0 {
		return ""
	}
	return canonical(map[string]any{"auths": auths})
}

// Registry returns the registry of a role's image in the form that login files
// use.
func Registry(role *resolve.TaskRole) string { return cmp.Or(role.Image.RegistryURI, dockerHub) }
