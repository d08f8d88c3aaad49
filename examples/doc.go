// SPDX-License-Identifier: MPL-2.0

// Package examples holds the examples of the Terraform provider for the
// generator of its documentation.
package examples
