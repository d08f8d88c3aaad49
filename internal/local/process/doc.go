// SPDX-License-Identifier: MPL-2.0

// Package process identifies, finds and signals local processes on Linux and
// macOS. It does not depend on jobs or the cluster.
package process
