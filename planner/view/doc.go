// SPDX-License-Identifier: MPL-2.0

// Package view formats plans and diagnostics as terminal text, Markdown for
// pull requests, and JSON. It does not make decisions or access clusters.
//
// Control characters in declarations are escaped, so that a plan cannot
// control the terminal. A plan does not contain secret values, so views
// cannot reveal them. The source lines that [Diagnostics] prints can contain
// secret values. Callers of [Diagnostics] therefore pass a function that
// masks secret values.
//
// Callers pass a phrase function, which returns the front end's wording of a
// fact; see cmd/openpai/cli/phrase and provider/phrase.go.
package view
