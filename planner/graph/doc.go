// SPDX-License-Identifier: MPL-2.0

// Package graph implements a small directed graph. Nodes have comparable
// keys, and edges have labels. Nodes and edges are in insertion order. The
// package orders nodes by their dependencies, finds cycles, and exports DOT
// and Mermaid.
//
// An edge leads from a node to a node that it needs. Results depend only on the
// order of the calls that built the graph, so identical input produces
// identical output. Layout computes positions for a drawing. The package does
// not interpret nodes; see planner/resolve.
package graph
