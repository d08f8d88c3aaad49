// SPDX-License-Identifier: MPL-2.0

// Command prose checks the English of Go comments, Go strings, Markdown
// paragraphs and comments in test scripts.
//
//	prose check   reports avoided words, British spellings and long sentences
//	prose draw    prints random sentences for a reader
//
// It checks words and lengths, not grammar. internal/tools/spelling contains the British
// spellings; internal/tools/repository checks them in identifiers.
package main
