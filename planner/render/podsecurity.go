// SPDX-License-Identifier: MPL-2.0

package render

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// PodSecurityRestricted is the Pod security level "restricted", which is
// stricter than the default.
const PodSecurityRestricted = "restricted"

func (r *renderer) restricted() bool {
	return !r.target.Local && r.target.PodSecurity == PodSecurityRestricted
}

// containerSecurity returns the fields that the level "restricted" requires in
// each container. An admission policy (internal/install) adds the required seccomp
// profile, because Kubernetes 1.16 has no field for the profile.
func (r *renderer) containerSecurity(add, drop []string) *framework.SecurityContext {
	switch {
	case r.restricted():
		return &framework.SecurityContext{AllowPrivilegeEscalation: pointer(false), Capabilities: &framework.Capabilities{Drop: []string{"ALL"}}}
	case len(add)+len(drop) > 0:
		return &framework.SecurityContext{Capabilities: &framework.Capabilities{Add: add, Drop: drop}}
	}
	return nil
}

// checkRestricted reports role settings that the level "restricted" does not
// permit. The plan then fails before Pods are created.
func (r *renderer) checkRestricted(role *resolve.TaskRole) {
	if !r.restricted() {
		return
	}
	settings := r.podSettings(role)
	switch {
	case settings.RunAsUser == nil:
		r.report(PodNotRestricted.At(r.podRange(role, "run_as_user", ""),
			"Task role %q of job %q does not specify a user. Set run_as_user in the pod block to the ID of a non-root user that can run the image %q.", role.Name, r.job.Name, role.Image.URI))
	case *settings.RunAsUser == 0:
		r.report(PodNotRestricted.At(r.podRange(role, "run_as_user", ""),
			"Task role %q of job %q runs as root (run_as_user = 0). Use the ID of a non-root user.", role.Name, r.job.Name))
	}
	for _, m := range role.Mounts {
		if m.Declared != nil && m.Declared.HostPath != "" {
			r.reportHostPath(role, m.Declared)
		}
	}
	if s := r.target.LogStorage; s != nil && s.HostPath != "" {
		r.reportHostPath(role, s)
	}
	if r.cachesFetches(role) {
		r.report(PodNotRestricted.At(r.clusterRange("runtime", "fetch_cache"),
			"Task role %q of job %q downloads data, and cluster %q caches downloads in the node directory %s. Remove fetch_cache.", role.Name, r.job.Name, r.job.Cluster, r.target.FetchCache))
	}
}

func (r *renderer) reportHostPath(role *resolve.TaskRole, s *hclspec.Storage) {
	r.report(PodNotRestricted.At(r.target.Sources.Range(s.Path.Attr("host_path")),
		"Task role %q of job %q mounts the storage %q, which is the node directory %s. Use a claim or a different kind of storage.", role.Name, r.job.Name, s.Name, s.HostPath))
}

// checkRestrictedFeatures reports profile features that the level
// "restricted" does not permit.
func (r *renderer) checkRestrictedFeatures() {
	if !r.restricted() {
		return
	}
	var parts []string
	for _, part := range []struct {
		on   bool
		name string
	}{
		{r.features.HostNetwork, "the host network"},
		{r.features.Capabilities, "capabilities"},
		{r.features.HostLogs && r.target.LogStorage == nil, "a node directory for logs"},
	} {
		if part.on {
			parts = append(parts, part.name)
		}
	}
	if len(parts) > 0 {
		r.report(PodNotRestricted.At(r.clusterRange("pod_security"),
			"Cluster %q has the profile %q, which gives the Pods of job %q access that the level \"restricted\" does not permit: %s. Use the profile \"standard\".", r.job.Cluster, r.target.Profile, r.job.Name, strings.Join(parts, ", ")))
	}
}

// clusterRange returns the position of an attribute, or of the cluster block if
// the attribute is not set.
func (r *renderer) clusterRange(attributes ...string) hcl.Range {
	path := hclspec.Path(hclspec.NewAddress("cluster", r.job.Cluster))
	for _, name := range attributes {
		path = path.Attr(name)
	}
	return r.target.Sources.Range(path)
}
