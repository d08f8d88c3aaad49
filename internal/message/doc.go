// SPDX-License-Identifier: MPL-2.0

// Package message separates the content of a sentence from its wording.
//
// A [Text] is a sentence that contains facts. A [Fact] is a value that each front
// end phrases for its users. For example, the command line phrases a hint as a
// command, and the provider phrases it as an attribute or as a command of another
// program. Packages that the front ends import use facts instead of the names of
// commands and flags.
//
// The package does not print and does not depend on front ends.
// cmd/openpai/cli/phrase contains the phrases of the command line, and provider
// contains the phrases of the provider.
package message
