// Package resolve turns a declared job into a resolved one: every task role
// with the ordered list of prerequisite instances that it really runs, merged
// storages, active deployment, filled templates and numbered ports. Only
// references to secrets are left open.
//
// It is pure: the same workspace gives the same resolved job, byte for byte.
// It reads no files, no network and no cluster; remote items come in as values.
// The graph algorithms are in planner/graph, the comparison with what runs in
// planner, and the objects of a cluster in planner/render.
package resolve
