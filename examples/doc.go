// SPDX-License-Identifier: MPL-2.0

// Package examples contains the examples of the Terraform provider. The
// generator of the provider's documentation reads them.
package examples
