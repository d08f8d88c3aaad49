// SPDX-License-Identifier: MPL-2.0

// Package logtime records when the lines of a log were written. Log files contain
// only the output of a task, so the times are in an index next to each file. The
// index consists of fixed-size records. Each record contains an offset in the log
// file and the time when the text at that offset arrived.
//
// Package runtime/logs writes the index, and internal/local and internal/kubernetes
// read it.
//
// It imports only the standard library.
package logtime
