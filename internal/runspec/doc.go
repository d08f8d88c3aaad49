// Package runspec is the finished run specification of one task role: all that
// the runtime needs to know, decided at plan time. planner/render writes it
// into a ConfigMap, the runtime reads it; nothing in the container parses the
// user's job.
//
// It is a leaf: standard library only. The format carries a version; the
// runtime reads the current one and the one before.
package runspec
