// SPDX-License-Identifier: MPL-2.0

// Package runspec defines the run specification of one task role: all inputs of the
// runtime, determined at plan time. planner/render writes it to a ConfigMap, and the
// runtime reads it. No program in the container parses the user's job.
//
// It imports only the standard library. The format has a version; the runtime
// reads the current and the previous version.
package runspec
