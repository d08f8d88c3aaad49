// Package planner compares resolved jobs with what a cluster has and says what
// apply would do: one [Change] per job with its reason, the fields that differ
// and what happens to running work.
//
// It writes nothing. Jobs are resolved in planner/resolve, live state comes in
// through [Live], text and JSON for people and programs are made in
// planner/view, and changes are carried out by internal/cluster.
package planner
