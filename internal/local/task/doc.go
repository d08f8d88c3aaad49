// Package task is the process of one task on the local cluster: what the
// supervisor records for it ([Launch]), how it is started ([Start]), and what
// it does before the runtime takes over ([Run]): it waits until the supervisor
// has recorded it and enters a mount namespace with its storages.
//
// What happens inside a task is in package runtime; when tasks start, end and
// are retried is up to the supervisor in internal/local.
package task
