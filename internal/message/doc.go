// SPDX-License-Identifier: MPL-2.0

// Package message separates the content of a sentence from its wording.
//
// A [Text] is a sentence that may contain facts. A [Fact] is a value that each
// front end phrases for its users. For example, the openpai CLI phrases a hint as
// a command. In the provider, the hint contains an attribute, or a command of
// another program. In packages that the front ends import, texts contain facts
// instead of command and flag names.
//
// The package does not print and does not depend on front ends. The phrases of
// the openpai CLI are in cmd/openpai/cli/phrase. The phrases of the provider
// are in provider.
package message
