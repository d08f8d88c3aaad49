// SPDX-License-Identifier: MPL-2.0

// Package install generates the manifests that an administrator applies before
// the first job on a Kubernetes cluster. For FrameworkController, the manifests
// contain the CRD, the exit rules and the workload. They also contain user
// permissions, and the admission policy for the restricted Pod security level.
//
// The package does not access a cluster; internal/kubernetes/check reports
// missing requirements. Source for the FrameworkController manifests:
// microsoft/frameworkcontroller: example/run and pkg/apis/frameworkcontroller/v1.
package install
