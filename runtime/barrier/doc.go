// SPDX-License-Identifier: MPL-2.0

// Package barrier lets the tasks of a gang wait for each other through the API
// server. It runs in the init containers of the tasks, and uses only the standard
// library.
//
// One task, initially the first task of the first role, watches the Framework. When
// every task has an address, the watcher publishes the host table in one small
// ConfigMap, which all other tasks watch by name. The watcher also writes
// heartbeats to the ConfigMap. If the heartbeats stop, another task becomes the
// watcher. Therefore, only one connection transfers the large Framework object, and
// every other task receives only a few kilobytes.
package barrier
