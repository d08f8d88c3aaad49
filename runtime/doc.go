// SPDX-License-Identifier: MPL-2.0

// Package runtime runs every task: it waits for the gang, prepares the
// environment, runs callbacks and the user's commands in order, writes the
// logs, forwards signals, explains failures and writes an exit record.
//
// It reads a complete run specification (internal/runspec) and imports only
// leaf packages: no Kubernetes, no HCL, no user YAML. The cluster
// (internal/local or FrameworkController) decides which tasks exist and when
// they are retried.
package runtime
