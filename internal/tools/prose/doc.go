// SPDX-License-Identifier: MPL-2.0

// Command prose checks the English of Go comments, Go strings, Markdown
// paragraphs and comments in test scripts.
//
//	prose check   reports avoided words with a replacement, and long sentences
//	prose draw    prints random sentences for a reader
//
// It checks words and lengths, not grammar. The linter misspell checks the spelling, and
// internal/tools/repository checks the spelling of identifiers.
package main
