// Command prose reads the English of the repository: the comments and texts of
// Go files and the paragraphs of Markdown pages.
//
//	prose check   reports words that the project avoids, with a replacement
//	prose draw    prints random sentences for somebody to read
//
// It checks words, not grammar. Spelling is checked by misspell in the linter,
// and that of identifiers by internal/tools/repository.
package main
