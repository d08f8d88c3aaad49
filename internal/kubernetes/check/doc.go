// SPDX-License-Identifier: MPL-2.0

// Package check reports whether a Kubernetes cluster meets the requirements of a
// workspace's jobs: the engine, permissions, storages, nodes and Pod security. It
// only reads. The result is a list of cluster.CheckResult. A forbidden check has
// the result "unknown" and does not cause an error.
//
// Package kubernetes uses this package for "cluster check". Before each
// apply, openpai uses this package to look for OpenPAI components that would
// delete the jobs.
package check
