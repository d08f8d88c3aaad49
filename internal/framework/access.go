// SPDX-License-Identifier: MPL-2.0

package framework

// ServiceAccount is a Kubernetes ServiceAccount.
type ServiceAccount struct {
	APIVersion                   string     `json:"apiVersion"` // "v1"
	Kind                         string     `json:"kind"`       // "ServiceAccount"
	Metadata                     ObjectMeta `json:"metadata"`
	AutomountServiceAccountToken *bool      `json:"automountServiceAccountToken,omitempty"`
}

// RBACVersion is the API version of Role and RoleBinding.
const RBACVersion = "rbac.authorization.k8s.io/v1"

// Role is a Kubernetes Role.
type Role struct {
	APIVersion string       `json:"apiVersion"` // RBACVersion
	Kind       string       `json:"kind"`       // "Role"
	Metadata   ObjectMeta   `json:"metadata"`
	Rules      []PolicyRule `json:"rules"`
}

// PolicyRule permits verbs on objects with the given names.
type PolicyRule struct {
	APIGroups     []string `json:"apiGroups"`
	Resources     []string `json:"resources"`
	ResourceNames []string `json:"resourceNames,omitempty"`
	Verbs         []string `json:"verbs"`
}

// RoleBinding is a Kubernetes RoleBinding.
type RoleBinding struct {
	APIVersion string     `json:"apiVersion"` // RBACVersion
	Kind       string     `json:"kind"`       // "RoleBinding"
	Metadata   ObjectMeta `json:"metadata"`
	Subjects   []Subject  `json:"subjects"`
	RoleRef    RoleRef    `json:"roleRef"`
}

// Subject is an account in a RoleBinding.
type Subject struct {
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Namespace string `json:"namespace,omitempty"`
}

// RoleRef refers to the role of a RoleBinding.
type RoleRef struct {
	APIGroup string `json:"apiGroup"`
	Kind     string `json:"kind"`
	Name     string `json:"name"`
}
