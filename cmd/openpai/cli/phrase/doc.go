// SPDX-License-Identifier: MPL-2.0

// Package phrase converts facts to text for users of the openpai CLI. It adds the
// commands and flags to messages of lower-level packages. Its counterpart for users of
// Terraform is provider/phrase.go.
//
// internal/message and planner define the facts. The remedies for diagnostic codes are
// in cmd/openpai/cli/remedy.go.
package phrase
