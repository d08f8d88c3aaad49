// Package barrier lets the tasks of a gang meet through the API server, from
// their init containers, with the standard library alone.
//
// One task, the first of the first role, watches the Framework. When every
// task has an address it publishes the table of them in one small ConfigMap,
// which all others watch by name. The watcher signs that ConfigMap from time
// to time; when the signs stay away, another task takes over. So only one
// connection carries the big object, and every other task receives a few
// kilobytes.
package barrier
