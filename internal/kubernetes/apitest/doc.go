// SPDX-License-Identifier: MPL-2.0

// Package apitest runs a real control plane for acceptance tests: etcd,
// kube-apiserver and, for garbage collection, kube-controller-manager. The
// binaries come from the directory in KUBEBUILDER_ASSETS. If this variable is
// not set, the binaries come from the directory in which .ci/tools builds them.
// Package apitest/engine simulates FrameworkController. Package apitest/fault
// injects faults between a client and the server.
package apitest
