// SPDX-License-Identifier: MPL-2.0

// Package runspec defines the run specification of one task role: everything
// that the runtime needs to know, determined at plan time. planner/render
// writes it to a ConfigMap and the runtime reads it; no program in the
// container parses the user's job.
//
// It imports only the standard library. The format has a version; the runtime
// reads the current and the previous version.
package runspec
