// SPDX-License-Identifier: MPL-2.0

// Package logtime records when the lines of a log were written. The times are in
// an index next to each log file, because log files contain only task output. The
// index consists of fixed-size records. Each record contains an offset in the log
// file and a time. The time is the arrival time of the text at that offset.
//
// Package runtime/logs writes the index, and internal/local and internal/kubernetes
// read it.
//
// Package logtime imports only the standard library.
package logtime
