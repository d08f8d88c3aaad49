// SPDX-License-Identifier: MPL-2.0

// Package provider implements the Terraform provider openpai/openpai.
//
// Other packages do most of the work: package shape decodes configurations into
// the model, hclspec checks the model, planner/resolve resolves the model to
// jobs, planner compares the jobs with the cluster, and internal/operation
// applies the changes. This package does not contain any rules about jobs.
// Every diagnostic contains the path of its attribute and the same text that
// the openpai CLI prints.
package provider
