// Package logtime keeps when the lines of a log were written. The files of a log
// hold the output of a task and nothing else, so the times are in an index beside
// each of them: records of a fixed size with an offset in the file and the time
// at which the text from there on arrived.
//
// It does not write logs (see runtime/logs), nor choose one (see internal/local
// and internal/kubernetes).
//
// It is a leaf: standard library only.
package logtime
