// SPDX-License-Identifier: MPL-2.0

// Package parity contains only a test. The test produces every diagnostic in the
// catalog that a plan can report. It compares the codes, severities and
// positions from the openpai CLI and the Terraform provider. The test lists the
// diagnostics that only one front end can report, with the reasons.
package parity
