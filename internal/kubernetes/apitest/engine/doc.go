// SPDX-License-Identifier: MPL-2.0

// Package engine simulates FrameworkController in acceptance tests. It
// implements the behavior of FrameworkController that the tests require: it
// writes Frameworks, creates Pods and sets statuses. The package cannot run
// real jobs: there is no kubelet, so tests set the outcome of Pods.
package engine
