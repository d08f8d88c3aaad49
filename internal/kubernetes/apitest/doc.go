// SPDX-License-Identifier: MPL-2.0

// Package apitest runs a real etcd, kube-apiserver and, for garbage collection,
// kube-controller-manager for acceptance tests. The binaries are in the directory
// KUBEBUILDER_ASSETS, or .ci/tools builds them. Package apitest/engine simulates
// FrameworkController. Package apitest/fault injects faults between a client and
// the server.
package apitest
