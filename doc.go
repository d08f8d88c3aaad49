// SPDX-License-Identifier: MPL-2.0

// Command terraform-provider-openpai is the Terraform provider openpai/openpai.
// Terraform starts it; it is of no use on its own. The resources are in package
// provider.
package main
