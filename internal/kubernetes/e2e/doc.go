// SPDX-License-Identifier: MPL-2.0

// Package e2e runs jobs with the openpai binary. Their Pods run on a node with
// kubelet and containerd, which .ci/e2e starts. apitest/engine simulates
// FrameworkController, because no registry has a FrameworkController image for tests.
// The tests check the Pods, the init container, the barrier and the output of
// commands, but not the engine.
package e2e
