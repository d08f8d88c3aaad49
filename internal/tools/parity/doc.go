// SPDX-License-Identifier: MPL-2.0

// Package parity contains only a test. The test produces every diagnostic of
// the catalog that a plan can report, through the command line and through the
// Terraform provider, and compares code, severity and position. The test lists the
// diagnostics that only one front end can report, each with the reason.
package parity
