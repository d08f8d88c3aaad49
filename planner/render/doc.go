// Package render turns a resolved job into what is sent to a cluster: one
// Framework, the ConfigMaps with the run specifications, and stubs of the
// Secrets. The same objects drive the local cluster.
//
// Its input is final: it resolves nothing and reads nothing. Same job and same
// target, same bytes. It holds no secret values; apply fills the stubs. What
// the objects become on a cluster is decided in internal/kubernetes and
// internal/local.
package render
