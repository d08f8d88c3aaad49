package kubernetes

import "net/url"

// resource is a kind of object and where the API server has it.
type resource struct {
	apiVersion, kind, plural string
	prefix                   string // "/api/v1" or "/apis/group/version"
	clusterScoped            bool
}

// The kinds that are read or written.
var (
	frameworks      = resource{apiVersion: "frameworkcontroller.microsoft.com/v1", kind: "Framework", plural: "frameworks", prefix: "/apis/frameworkcontroller.microsoft.com/v1"}
	configMaps      = resource{apiVersion: "v1", kind: "ConfigMap", plural: "configmaps", prefix: "/api/v1"}
	secretKind      = resource{apiVersion: "v1", kind: "Secret", plural: "secrets", prefix: "/api/v1"}
	serviceAccounts = resource{apiVersion: "v1", kind: "ServiceAccount", plural: "serviceaccounts", prefix: "/api/v1"}
	roles           = resource{apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", plural: "roles", prefix: "/apis/rbac.authorization.k8s.io/v1"}
	roleBindings    = resource{apiVersion: "rbac.authorization.k8s.io/v1", kind: "RoleBinding", plural: "rolebindings", prefix: "/apis/rbac.authorization.k8s.io/v1"}
	volumes         = resource{apiVersion: "v1", kind: "PersistentVolume", plural: "persistentvolumes", prefix: "/api/v1", clusterScoped: true}
	claims          = resource{apiVersion: "v1", kind: "PersistentVolumeClaim", plural: "persistentvolumeclaims", prefix: "/api/v1"}
	leases          = resource{apiVersion: "coordination.k8s.io/v1", kind: "Lease", plural: "leases", prefix: "/apis/coordination.k8s.io/v1"}
	pods            = resource{apiVersion: "v1", kind: "Pod", plural: "pods", prefix: "/api/v1"}
	nodes           = resource{apiVersion: "v1", kind: "Node", plural: "nodes", prefix: "/api/v1", clusterScoped: true}
	events          = resource{apiVersion: "v1", kind: "Event", plural: "events", prefix: "/api/v1"}
	statefulSets    = resource{apiVersion: "apps/v1", kind: "StatefulSet", plural: "statefulsets", prefix: "/apis/apps/v1"}
)

// dependantKinds are the kinds of the objects that a Framework owns.
var dependantKinds = []resource{configMaps, secretKind, serviceAccounts, roles, roleBindings}

// byKind finds the resource of a kind; ok is false for one that is not ours.
func byKind(kind string) (resource, bool) {
	for _, r := range append([]resource{frameworks, volumes, claims}, dependantKinds...) {
		if r.kind == kind {
			return r, true
		}
	}
	return resource{}, false
}

// path returns the URL path of an object, or of all of them when the name is
// empty.
func (r resource) path(namespace, name string) string {
	p := r.prefix
	if !r.clusterScoped {
		p += "/namespaces/" + url.PathEscape(namespace)
	}
	p += "/" + r.plural
	if name != "" {
		p += "/" + url.PathEscape(name)
	}
	return p
}
