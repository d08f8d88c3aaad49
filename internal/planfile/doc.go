// SPDX-License-Identifier: MPL-2.0

// Package planfile reads and writes files with saved plans. It recognizes a
// plan file by its first line, regardless of its name, and detects
// modifications.
// [github.com/openpai/terraform-provider-openpai/internal/operation] decides whether
// a plan may be applied.
package planfile
