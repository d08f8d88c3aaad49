// SPDX-License-Identifier: MPL-2.0

// Package contract defines the names and formats that OpenPAI clusters and their
// containers share: names of objects and roles, event names, plugin names, the port
// formula, the names of environment variables, paths and log line formats.
//
// It imports only the standard library, because the program in the container also
// uses it. It does not make decisions, such as the order in which plugins run.
package contract
