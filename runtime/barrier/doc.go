// SPDX-License-Identifier: MPL-2.0

// Package barrier lets the tasks of a gang wait for each other through the API
// server. It runs in their init containers and uses only the standard library.
//
// One task, initially the first task of the first role, watches the Framework. When
// every task has an address, this watcher publishes the host table in one small
// ConfigMap, which all other tasks watch by name. The watcher updates a heartbeat
// in that ConfigMap; if the heartbeats stop, another task becomes the watcher.
// Therefore only one connection transfers the large Framework object, and every
// other task receives a few kilobytes.
package barrier
