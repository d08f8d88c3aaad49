// SPDX-License-Identifier: MPL-2.0

// Package view formats plans and diagnostics: as text for a terminal, as
// Markdown for a pull request, and as JSON for programs. It makes no decisions
// and does not access clusters.
//
// The package escapes control characters in text from declarations, so that a
// plan cannot control the terminal. A plan contains no secret values, so no
// view can reveal one. The source lines that [Diagnostics] prints can contain
// secret values; its caller masks them.
//
// Callers pass a phrase function, which returns the text of a fact in a message:
// cmd/openpai/cli/phrase or provider/phrase.go.
package view
