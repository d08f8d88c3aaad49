// Package engine stands in for FrameworkController in acceptance tests: it
// writes Frameworks back as that one does and makes Pods and statuses by the
// same tables, as far as tests need them. There is no kubelet; tests say what
// becomes of the Pods. It is no engine for jobs.
package engine
