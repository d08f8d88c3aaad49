// SPDX-License-Identifier: MPL-2.0

// Package cluster defines the interface of a cluster, a place where jobs run, and
// applies plans to it. internal/local and internal/kubernetes implement the
// interface. The package does not make decisions about jobs; package planner
// does.
package cluster
