// SPDX-License-Identifier: MPL-2.0

// Package task is the process of one task on the local cluster: the data that the
// supervisor records for it ([Launch]), how it is started ([Start]), and what it
// does before the runtime takes over ([Run]): it waits until the supervisor has
// recorded it and enters a mount namespace with its storages.
//
// Package runtime defines what happens inside a task; the supervisor in
// internal/local decides when tasks start, end and are retried.
package task
