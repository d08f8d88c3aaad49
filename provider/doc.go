// SPDX-License-Identifier: MPL-2.0

// Package provider implements the Terraform provider openpai/openpai.
//
// Other packages do most of the work: package shape decodes configurations into
// the model, hclspec checks the model, planner/resolve resolves it, planner
// compares it with the cluster, and a cluster applies it. This package does not
// contain any rules about jobs. Every diagnostic has the path of its attribute
// and the text that the command line prints.
package provider
