// Package initialize is the init container of a task: it prepares the volume
// that the task works from, runs the init plugins in order, and leaves what the
// task needs to start at once.
//
// What is to be run comes from the run specification that openpai rendered, or,
// in a Pod that somebody wrote by hand, from RUNTIME_CONFIG. Source of that
// interface: microsoft/openpai-runtime, issue 12.
package initialize
