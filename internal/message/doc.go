// SPDX-License-Identifier: MPL-2.0

// Package message separates the content of a sentence from its wording.
//
// A [Text] is a sentence that contains facts. A [Fact] is a value that each
// front end phrases for its reader: a command for a user of the command line,
// an attribute or another program's command for a user of the provider.
// Packages below the front ends use facts instead of names of commands and
// flags.
//
// The package does not print and does not depend on front ends.
// cmd/openpai/cli/phrase contains the phrases of the command line; provider
// contains the phrases of the provider.
package message
