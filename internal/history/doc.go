// SPDX-License-Identifier: MPL-2.0

// Package history describes runs. A run is one submission of a job. The package
// defines the document of a run, the counters for run numbers, user references to
// runs, and the retention rules.
//
// The package does not access files or clusters. internal/cluster defines the
// interface for storing documents, and internal/local and internal/kubernetes
// implement the interface. internal/operation decides when to write documents.
// Documents do not contain secret values.
package history
