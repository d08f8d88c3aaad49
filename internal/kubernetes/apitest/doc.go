// Package apitest runs a real etcd, kube-apiserver and, for garbage collection,
// kube-controller-manager for acceptance tests, from programs that .ci/tools
// built or that KUBEBUILDER_ASSETS names. Package apitest/engine stands in for
// FrameworkController, and apitest/fault puts faults between a client and the
// server.
package apitest
