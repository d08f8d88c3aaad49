// SPDX-License-Identifier: MPL-2.0

// Package view formats plans and diagnostics: as text for a terminal, as
// Markdown for a pull request, as JSON for programs. It makes no decisions and
// does not access clusters.
//
// Control characters in text from declarations are escaped, so that a plan
// cannot control the terminal. A plan contains no secret values, so no view can
// reveal one. The source lines that [Diagnostics] prints can contain secret
// values; its caller masks them.
package view
