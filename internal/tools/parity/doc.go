// SPDX-License-Identifier: MPL-2.0

// Package parity contains only a test. The test produces every diagnostic in the
// catalog that a plan can report. It uses both the openpai CLI and the Terraform
// provider, and compares the codes, severities and positions that they report.
// The test lists the diagnostics that only one front end can report, with the
// reasons.
package parity
