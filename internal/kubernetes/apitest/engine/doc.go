// SPDX-License-Identifier: MPL-2.0

// Package engine simulates FrameworkController in acceptance tests. It writes
// Frameworks back in the same way and creates Pods and statuses according to
// the same tables, as far as tests need them. There is no kubelet; tests set
// the outcome of Pods. It is not an engine for real jobs.
package engine
