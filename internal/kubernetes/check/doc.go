// SPDX-License-Identifier: MPL-2.0

// Package check reports the missing requirements of a Kubernetes cluster for the
// jobs of a workspace: the engine, permissions, storages, nodes and Pod security. It
// only reads. The result is a list of cluster.CheckResult. A check that the API
// server forbids has the result "unknown" and does not cause an error.
//
// Package kubernetes uses it for "cluster check". Before each apply, package
// kubernetes also uses it to check whether a component of OpenPAI would delete
// the jobs.
package check
