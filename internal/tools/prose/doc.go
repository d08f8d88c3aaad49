// SPDX-License-Identifier: MPL-2.0

// Command prose checks the English of the repository: the comments and strings
// of Go files and the paragraphs of Markdown pages.
//
//	prose check   reports words that the project avoids, with a replacement
//	prose draw    prints random sentences for a reader
//
// It checks words, not grammar. The linter misspell checks the spelling, and
// internal/tools/repository checks the spelling of identifiers.
package main
