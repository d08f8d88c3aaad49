// SPDX-License-Identifier: MPL-2.0

// Package hclspec defines the model that the front ends create and the planner
// reads. A workspace contains jobs, task roles, prerequisites, storages, secrets
// and clusters. It also defines addresses, the source map with the position of
// each value, the table of fields, and the catalog of diagnostics.
//
// The package does not read files or define a syntax. hclspec/syntax decodes HCL,
// and hclspec/protocol decodes OpenPAI protocol YAML. Only internal/workspace loads
// a directory or file. planner/resolve decides which of a job's prerequisites run,
// and in which order.
//
// User mistakes result in hcl.Diagnostics, which [Entry.At] creates from the
// catalog. Programming errors result in a panic. This package prints nothing.
package hclspec
