// SPDX-License-Identifier: MPL-2.0

// Package parity contains only a test. It produces every diagnostic of the
// catalog that a plan can report, through the command line and through the
// Terraform provider, and compares code, severity and position. Diagnostics
// that only one of them can report are listed with the reason.
package parity
