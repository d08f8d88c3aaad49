// Package parity holds no code: its test provokes every diagnostic of the
// catalog that a plan can produce through the command line and through the
// Terraform provider, and compares code, severity and place. Diagnostics that
// only one of them can produce are listed with the reason.
package parity
