// SPDX-License-Identifier: MPL-2.0

// Package runspec defines the run specification of a task role. The run
// specification contains all inputs of the runtime. The planner determines these
// inputs. planner/render writes the specification to a ConfigMap, and the runtime
// reads it. Programs in the container never parse the job declaration.
//
// The package imports only the standard library. The format is versioned. The
// runtime reads specifications of the current and the previous version.
package runspec
