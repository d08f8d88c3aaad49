// Package kubernetes runs jobs on a Kubernetes cluster whose engine is
// FrameworkController. It sends the objects of planner/render, reads them
// back for plans, and shows what becomes of them.
//
// The API server is the only state. A Framework carries the labels and
// annotations of the workspace and the address; a record, one ConfigMap per
// job, keeps what was applied and what came of it.
//
// Order of a first write: the Framework with executionType Create, what it
// owns together with the record, then Start. Whatever is interrupted is
// finished by the next apply. The Framework is never written whole again,
// since FrameworkController takes its fields over: changes are JSON patches
// that test its UID and the names of its task roles. Everything else is
// server-side apply with the field manager "openpai".
//
// Package api sends the requests; each one is safe to repeat. Package check
// finds what a cluster lacks.
package kubernetes
