// SPDX-License-Identifier: MPL-2.0

// Package parity contains only a test. The test produces every diagnostic of
// the catalog that a plan can report, through the command line and through the
// Terraform provider, and compares code, severity and position. The test lists
// diagnostics that only one of the two can report, each with the reason.
package parity
