// SPDX-License-Identifier: MPL-2.0

package api

import (
	"net/url"
	"strings"
)

// Resource describes an object kind and its API path.
type Resource struct {
	APIVersion, Kind, Plural string
	prefix                   string // "/api/v1" or "/apis/group/version"
	clusterScoped            bool
}

// The kinds that openpai reads or writes.
var (
	Frameworks      = Resource{APIVersion: "frameworkcontroller.microsoft.com/v1", Kind: "Framework", Plural: "frameworks", prefix: "/apis/frameworkcontroller.microsoft.com/v1"}
	ConfigMaps      = Resource{APIVersion: "v1", Kind: "ConfigMap", Plural: "configmaps", prefix: "/api/v1"}
	Secrets         = Resource{APIVersion: "v1", Kind: "Secret", Plural: "secrets", prefix: "/api/v1"}
	ServiceAccounts = Resource{APIVersion: "v1", Kind: "ServiceAccount", Plural: "serviceaccounts", prefix: "/api/v1"}
	Roles           = Resource{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "Role", Plural: "roles", prefix: "/apis/rbac.authorization.k8s.io/v1"}
	RoleBindings    = Resource{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "RoleBinding", Plural: "rolebindings", prefix: "/apis/rbac.authorization.k8s.io/v1"}
	Volumes         = Resource{APIVersion: "v1", Kind: "PersistentVolume", Plural: "persistentvolumes", prefix: "/api/v1", clusterScoped: true}
	Claims          = Resource{APIVersion: "v1", Kind: "PersistentVolumeClaim", Plural: "persistentvolumeclaims", prefix: "/api/v1"}
	Leases          = Resource{APIVersion: "coordination.k8s.io/v1", Kind: "Lease", Plural: "leases", prefix: "/apis/coordination.k8s.io/v1"}
	Pods            = Resource{APIVersion: "v1", Kind: "Pod", Plural: "pods", prefix: "/api/v1"}
	PodMetrics      = Resource{APIVersion: "metrics.k8s.io/v1beta1", Kind: "PodMetrics", Plural: "pods", prefix: "/apis/metrics.k8s.io/v1beta1"}
	Nodes           = Resource{APIVersion: "v1", Kind: "Node", Plural: "nodes", prefix: "/api/v1", clusterScoped: true}
	Events          = Resource{APIVersion: "v1", Kind: "Event", Plural: "events", prefix: "/api/v1"}
	PriorityClasses = Resource{APIVersion: "scheduling.k8s.io/v1", Kind: "PriorityClass", Plural: "priorityclasses", prefix: "/apis/scheduling.k8s.io/v1", clusterScoped: true}
	StatefulSets    = Resource{APIVersion: "apps/v1", Kind: "StatefulSet", Plural: "statefulsets", prefix: "/apis/apps/v1"}
)

// Group returns the API group; "" is the core group.
func (r Resource) Group() string {
	group, _, found := strings.Cut(r.APIVersion, "/")
	if !found {
		return ""
	}
	return group
}

// Path returns the URL path of an object, or of the whole collection if the
// name is empty.
func (r Resource) Path(namespace, name string) string {
	p := r.prefix
	if !r.clusterScoped {
		p += "/namespaces/" + url.PathEscape(namespace)
	}
	p += "/" + r.Plural
	if name != "" {
		p += "/" + url.PathEscape(name)
	}
	return p
}
