// Package runtime is what every task runs through: it waits for the gang,
// prepares the environment, runs callbacks and the user's commands in order,
// writes the logs, forwards signals, explains failures and leaves an exit
// record.
//
// It reads a finished run specification (internal/runspec) and imports leaves
// only: no Kubernetes, no HCL, no YAML of users. Which tasks exist and when
// they are retried is the cluster's matter (internal/local, or
// FrameworkController).
package runtime
