// SPDX-License-Identifier: MPL-2.0

// Package render renders a resolved job into cluster objects: one Framework,
// the ConfigMaps with the run specifications, and stubs of the Secrets. The
// local cluster uses the same objects.
//
// Its input is a resolved job and a target. It does not read files or access a
// cluster. The same job and target always produce identical objects. The objects
// do not contain secret values; apply adds them to the stubs. internal/kubernetes
// and internal/local apply the objects.
package render
