// SPDX-License-Identifier: MPL-2.0

// Package contract defines the names and formats that OpenPAI clusters and their
// containers share. The package covers object, role, event, plugin and
// environment variable names, the port formula, paths and log line formats.
//
// It imports only the standard library, because the runtime in the container also
// uses the package. It does not make decisions, such as the order in which
// plugins run.
package contract
