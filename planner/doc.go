// SPDX-License-Identifier: MPL-2.0

// Package planner compares resolved jobs with the live state of a cluster and
// plans the actions of apply. A plan contains one [Change] per job: its
// reason, the differing fields and the impact on running work.
//
// It writes nothing. planner/resolve resolves jobs, [Live] returns the live
// state, planner/view formats plans as text and JSON, and internal/cluster
// applies the changes.
package planner
