//go:build acc

// Package engine stands in for FrameworkController in acceptance tests: it
// makes Pods and statuses from Frameworks by the same tables, as far as tests
// need them. There is no kubelet: tests say what becomes of the Pods.
package engine
