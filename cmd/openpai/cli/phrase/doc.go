// SPDX-License-Identifier: MPL-2.0

// Package phrase converts facts to text for users of the command line: it adds
// the commands and flags to messages of the packages below. Its counterpart for
// users of Terraform is provider/phrase.go.
//
// The facts are in internal/message and planner. The remedies of diagnostics by
// their codes are in cmd/openpai/cli/remedy.go.
package phrase
