// SPDX-License-Identifier: MPL-2.0

// Package planfile reads and writes files with saved plans. It recognizes a plan
// file by the first line, regardless of the file name. It detects a modified
// file. [github.com/openpai/terraform-provider-openpai/internal/operation]
// decides whether the CLI may apply a plan.
package planfile
