// SPDX-License-Identifier: MPL-2.0

// Package terraformplan reads the JSON of a plan as written by "terraform show
// -json PLANFILE" and "tofu show -json PLANFILE". It reads the resource
// changes, their provider blocks, and the marks of sensitive values. Package
// provider interprets the values.
package terraformplan
