// SPDX-License-Identifier: MPL-2.0

// Package spelling finds British spellings. internal/tools/prose checks the words in
// texts, and internal/tools/repository checks the words in identifiers. Package
// spelling lists only stems that this project could use; the linter misspell has a
// longer list of whole words.
package spelling
