// SPDX-License-Identifier: MPL-2.0

// Package runtime runs every task. It waits for the gang, prepares the environment,
// and runs callbacks and the user's commands in order. It also writes the logs,
// forwards signals, explains failures and writes an exit record.
//
// It reads a complete run specification (internal/runspec). It imports only leaf
// packages, and does not depend on Kubernetes, HCL or the user's YAML. The cluster
// (internal/local or FrameworkController) decides which tasks exist and when they
// are retried.
package runtime
