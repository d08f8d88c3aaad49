// SPDX-License-Identifier: MPL-2.0

// Package kubernetes runs jobs on a Kubernetes cluster whose engine is
// FrameworkController. It sends the objects of planner/render, reads them back
// for plans, and reports their status.
//
// The API server holds all state. The labels and annotations of a Framework
// contain its workspace and address. A record (one ConfigMap per job) keeps the
// applied configuration and the outcome.
//
// A creation writes the Framework with executionType Create, then the objects
// that it owns and the record, then sets Start. The next apply finishes an
// interrupted creation. The Framework is never replaced as a whole, because
// FrameworkController takes over its fields: changes are JSON patches that test
// its UID and the names of its task roles. All other writes are server-side
// applies with the field manager "openpai".
//
// Package api sends the requests; each request is safe to retry. Package check
// reports missing requirements of a cluster.
package kubernetes
