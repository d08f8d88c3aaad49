// Package framework holds the Framework object of FrameworkController, the Pod
// template in it (only fields that Kubernetes 1.16 knows, since
// FrameworkController erases the others) and the few other objects that we
// send, as plain Go types with the JSON of Kubernetes; and the decision tables
// for completion and retry, as pure functions.
//
// It does not render a job (planner/render) and talks to no cluster
// (internal/local, internal/kubernetes). Facts follow
// microsoft/frameworkcontroller: pkg/apis/frameworkcontroller/v1.
package framework
