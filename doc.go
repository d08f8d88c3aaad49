// SPDX-License-Identifier: MPL-2.0

// Command terraform-provider-openpai is the Terraform provider openpai/openpai.
// Terraform starts it; do not run it directly. The resources are in package
// provider.
package main
