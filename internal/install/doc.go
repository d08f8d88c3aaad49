// SPDX-License-Identifier: MPL-2.0

// Package install generates the manifests that an administrator applies to a
// Kubernetes cluster before the first job. For FrameworkController, the manifests
// contain the CRD, the exit rules and the workload. They also contain the
// permissions of the users, and the admission policy that the restricted Pod
// security level requires.
//
// The package does not access a cluster; internal/kubernetes/check reports
// missing requirements. Source of the facts about FrameworkController:
// microsoft/frameworkcontroller: example/run and pkg/apis/frameworkcontroller/v1.
package install
