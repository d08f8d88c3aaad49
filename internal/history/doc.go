// Package history describes runs: one run is one submission of a job. It holds
// the document that is kept of a run, the counters that number the runs of a
// workspace, the way in which users refer to a run, and the rules for what is
// kept how long.
//
// It reads and writes no files and asks no cluster: internal/cluster says what a
// cluster that keeps documents must be able to do, internal/local and
// internal/kubernetes keep them, internal/operation decides when they are
// written. A document holds no secret value.
package history
