// SPDX-License-Identifier: MPL-2.0

// Package engine simulates FrameworkController in acceptance tests. It
// implements only the behavior that the tests require: writing Frameworks,
// creating Pods and setting statuses. The package cannot run real jobs: there
// is no kubelet, so tests set the outcome of Pods.
package engine
