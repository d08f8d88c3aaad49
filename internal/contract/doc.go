// SPDX-License-Identifier: MPL-2.0

// Package contract defines the names and formats that OpenPAI clusters and their
// containers share. The package contains the names of objects, roles, events,
// plugins and environment variables. It also contains the port formula, paths,
// and the formats of log lines.
//
// It imports only the standard library, because the runtime in the container also
// uses the package. It does not make decisions, for example about the order in
// which plugins run.
package contract
