// SPDX-License-Identifier: MPL-2.0

// Command terraform-provider-openpai is the Terraform provider openpai/openpai.
// Terraform starts the provider; do not run the command directly. The resources
// are in package provider.
package main
