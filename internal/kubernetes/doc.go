// SPDX-License-Identifier: MPL-2.0

// Package kubernetes runs jobs on a Kubernetes cluster whose engine is
// FrameworkController. It sends the objects of planner/render, reads them back
// for plans, and reports their status.
//
// The API server stores all state. The labels and annotations of a Framework
// contain its workspace and address. The record of a job is a ConfigMap that
// contains the applied configuration and the outcome.
//
// To create a job, apply writes the Framework with executionType Create. It then
// writes the record and the objects that the Framework owns, and finally sets
// executionType to Start. The next apply completes an interrupted creation. Apply
// never replaces a whole Framework, because FrameworkController writes and owns some
// of its fields. Changes are JSON patches that test the UID of the Framework and the
// names of its task roles. All other writes are server-side applies with the field
// manager "openpai".
//
// Package api sends the requests; each request is safe to retry. Package check
// reports missing requirements of a cluster.
package kubernetes
