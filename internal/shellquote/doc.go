// Package shellquote writes strings as words of a POSIX shell. It does not
// parse shell text; runtime reads what a shell exports, and
// runtime/initialize splits commands.
package shellquote
