// SPDX-License-Identifier: MPL-2.0

// Package cluster applies plans to clusters, and defines the interface that each
// cluster implements. internal/local and internal/kubernetes implement this
// interface. Package planner, not package cluster, makes the decisions about
// jobs.
package cluster
