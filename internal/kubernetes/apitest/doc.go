// SPDX-License-Identifier: MPL-2.0

// Package apitest runs a real etcd, kube-apiserver and, for garbage collection,
// kube-controller-manager for acceptance tests. The programs are built by
// .ci/tools or are in KUBEBUILDER_ASSETS. Package apitest/engine simulates
// FrameworkController, and apitest/fault injects faults between a client and the
// server.
package apitest
