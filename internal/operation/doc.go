// SPDX-License-Identifier: MPL-2.0

// Package operation implements user operations: plan, apply, adopt, destroy, stop and
// wait. It defines the order of the steps: open and guard the clusters; read the live
// state; plan and render; check the manifests; lock; check that the plan is still
// valid; write. Both front ends call this package. A rule for jobs therefore applies to
// both front ends.
//
// Package operation does not make decisions about a single job; package planner
// does. Package operation does not print or prompt. A front end provides the
// input, receives the results, and follows the progress through small interfaces.
// A [Refused] is the error for diagnostics that contain errors.
package operation
