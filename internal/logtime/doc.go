// SPDX-License-Identifier: MPL-2.0

// Package logtime records when the lines of a log were written. Log files
// contain only the output of a task, so the times are in an index next to each
// file: records of fixed size with an offset in the file and the time at which
// the text from there on arrived.
//
// It does not write logs (see runtime/logs) or select one (see internal/local
// and internal/kubernetes).
//
// It is a leaf: standard library only.
package logtime
