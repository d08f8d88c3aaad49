// SPDX-License-Identifier: MPL-2.0

// Package logtime records when the lines of a log were written. Log files
// contain only the output of a task, so the times are in an index next to each
// file: fixed-size records with an offset in the file and the time when the
// text from that offset arrived.
//
// Package runtime/logs writes the logs; internal/local and internal/kubernetes read
// them.
//
// It imports only the standard library.
package logtime
