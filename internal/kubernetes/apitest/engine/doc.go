// SPDX-License-Identifier: MPL-2.0

// Package engine simulates FrameworkController in acceptance tests. It writes
// Frameworks, creates Pods and sets statuses like FrameworkController, as far as
// tests require. Without a kubelet, tests set the outcome of Pods. The package
// cannot run real jobs.
package engine
