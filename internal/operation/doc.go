// SPDX-License-Identifier: MPL-2.0

// Package operation implements user operations: plan, apply, adopt, destroy, stop and
// wait. It defines the order of the steps: open the clusters, guard them, read the live
// state, plan and render, check the manifests, lock, check that the plan is still
// valid, and write. Both front ends call this package, so a rule for jobs applies to
// both front ends.
//
// It does not make decisions about a single job; package planner does. It does not
// print or prompt; a front end provides the input, receives the results, and is
// notified of progress through small interfaces. A [Refused] is the error for
// diagnostics that contain errors.
package operation
