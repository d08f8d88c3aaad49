// SPDX-License-Identifier: MPL-2.0

// Package message separates the content of a sentence from its wording.
//
// A [Text] is a sentence that contains facts. A [Fact] is a value that each front
// end phrases for its users. For example, the openpai CLI phrases a hint as a
// command, and the provider phrases it as an attribute or another program's
// command. In packages that the front ends import, a text contains facts instead
// of the names of commands and flags.
//
// The package does not print and does not depend on front ends.
// cmd/openpai/cli/phrase contains the phrases of the openpai CLI, and provider
// contains the phrases of the provider.
package message
