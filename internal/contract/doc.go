// SPDX-License-Identifier: MPL-2.0

// Package contract defines the names and formats that OpenPAI clusters and their
// containers share. It defines the names of objects, roles, events, plugins and
// environment variables, the port formula, paths, and the formats of log lines.
//
// It imports only the standard library, because the program in the container also
// uses it. It does not make decisions, such as the order in which plugins run.
package contract
