// SPDX-License-Identifier: MPL-2.0

// Package framework defines plain Go types for the Framework object of
// FrameworkController and its Pod template. It also defines types for other
// objects in requests to the API server. The types have the JSON encoding of
// Kubernetes. The Pod template contains only fields of Kubernetes 1.16, because
// FrameworkController drops all other fields. The package also implements the
// decision tables for completion and retry as pure functions.
//
// It does not render a job (planner/render) and does not access a cluster
// (internal/local, internal/kubernetes). Source: microsoft/frameworkcontroller:
// pkg/apis/frameworkcontroller/v1.
package framework
