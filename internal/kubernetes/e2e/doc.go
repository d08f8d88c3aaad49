// SPDX-License-Identifier: MPL-2.0

// Package e2e runs jobs with the openpai binary. .ci/e2e starts a node with kubelet
// and containerd, which runs the Pods of these jobs. apitest/engine simulates
// FrameworkController, because no registry provides a FrameworkController image that
// tests could run. The tests check the Pods, the init container, the barrier and the
// output of commands, but not the engine.
package e2e
