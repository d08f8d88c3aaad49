// Package printable makes strings from elsewhere safe to show: a log, a server
// or a file must not move the cursor, recolor or hide what the program prints.
// Escape keeps everything visible; Line shows a line as a terminal leaves it.
// It does not hide secrets; see internal/redact.
package printable
