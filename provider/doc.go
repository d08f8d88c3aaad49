// SPDX-License-Identifier: MPL-2.0

// Package provider implements the Terraform provider openpai/openpai.
//
// Package shape decodes configurations into the model, hclspec checks the
// model, and planner/resolve resolves the model to jobs. Package planner
// compares the jobs with the cluster, and internal/operation applies the
// changes. This package does not contain any rules about jobs. Every diagnostic
// contains the path of its attribute. The text is the same as in the openpai
// CLI.
package provider
