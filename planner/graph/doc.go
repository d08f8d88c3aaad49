// Package graph is a small directed graph: nodes with comparable keys, edges
// with a label, both in the order they were added. It orders dependencies,
// shows cycles whole, and writes itself as DOT and Mermaid.
//
// An edge leads from what needs to what is needed. Every result depends only
// on the order of the calls that built the graph, so equal input gives equal
// bytes. Layout places the nodes for a drawing. What the nodes are is not known
// here: see planner/resolve.
package graph
