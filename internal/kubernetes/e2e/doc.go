// SPDX-License-Identifier: MPL-2.0

// Package e2e runs the Pods of jobs on a node with kubelet and containerd that
// .ci/e2e starts, with the openpai program that users get. apitest/engine
// simulates FrameworkController, since no registry has its image for tests. The
// tests cover the Pods, the init container, the barrier and the output of
// commands, but not the engine.
package e2e
