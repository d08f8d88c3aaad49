// SPDX-License-Identifier: MPL-2.0

// Package terraformplan reads the JSON of a plan as written by "terraform show
// -json PLANFILE" and "tofu show -json PLANFILE". It reads the changes of
// resources, their provider blocks, and which values are sensitive. Package
// provider interprets the values.
package terraformplan
