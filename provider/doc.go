// SPDX-License-Identifier: MPL-2.0

// Package provider implements the Terraform provider openpai/openpai.
//
// It is thin: package shape decodes configurations into the model, hclspec checks
// the model, planner/resolve resolves it, planner compares it and a cluster
// applies it. The package contains no rules about jobs; every diagnostic has the
// path of its attribute and the text that the command line prints.
package provider
