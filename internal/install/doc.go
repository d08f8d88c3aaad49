// Package install makes the manifests that an administrator applies to a
// Kubernetes cluster before the first job: the CRD and FrameworkController
// with our exit rules, the permissions of its users, and the admission policy
// that the restricted Pod security level needs.
//
// It talks to no cluster: what is missing on one is reported by
// internal/kubernetes. Facts on FrameworkController follow
// microsoft/frameworkcontroller: example/run and pkg/apis/frameworkcontroller/v1.
package install
