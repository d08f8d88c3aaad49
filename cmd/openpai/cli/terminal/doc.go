// Package terminal owns the terminal that standard output and standard error
// share: lines scroll, and below them is a live view that is redrawn in place.
// It draws lines and decides nothing about their content; see package cli for
// the view of waiting jobs. Where an output is a file or a pipe, it gets exactly
// what was written to it.
package terminal
