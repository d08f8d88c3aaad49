// SPDX-License-Identifier: MPL-2.0

// Package runspec defines the run specification of a task role, which contains all
// inputs of the runtime. The planner determines these inputs. planner/render writes
// the specification to a ConfigMap, and the runtime reads it. Programs in the
// container never parse the user's job.
//
// It imports only the standard library. The format has a version. The runtime reads
// the current and the previous version.
package runspec
