// Package process identifies, finds and signals processes of this machine on
// Linux and macOS. It knows nothing of jobs and tasks.
package process
