// SPDX-License-Identifier: MPL-2.0

// Package logtime records when the lines of a log were written. Log files
// contain only the output of a task, so the times are in an index next to each
// file: fixed-size records with an offset in the file and the time when the
// text from that offset arrived.
//
// It does not write logs (see runtime/logs) or select them (see internal/local
// and internal/kubernetes).
//
// It imports only the standard library.
package logtime
