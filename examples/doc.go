// SPDX-License-Identifier: MPL-2.0

// Package examples contains the examples of the Terraform provider. The
// provider's documentation generator reads them.
package examples
