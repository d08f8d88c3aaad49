// SPDX-License-Identifier: MPL-2.0

package examples

import "embed"

// FS contains the examples in the layout of the Terraform Registry.
//
//go:embed provider resources data-sources functions list-resources actions
var FS embed.FS
