// SPDX-License-Identifier: MPL-2.0

// Package hclspec defines the model that the front ends create and the planner
// reads: a workspace with its jobs, task roles, prerequisites, storages, secrets
// and clusters. It also defines addresses, the source map from a value to its
// position in a file, the table that describes each field once, and the catalog of
// diagnostics.
//
// The package does not read files or define a syntax. hclspec/syntax decodes HCL,
// hclspec/protocol decodes OpenPAI protocol YAML, and internal/workspace is the only
// loader of a directory or file. planner/resolve decides which prerequisites of a
// job run, and in which order.
//
// User mistakes are hcl.Diagnostics created from the catalog ([Entry.At]);
// programmer mistakes panic. This package prints nothing.
package hclspec
