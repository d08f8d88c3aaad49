// SPDX-License-Identifier: MPL-2.0

// Package e2e uses the openpai program that users get to run the Pods of jobs
// on a node with kubelet and containerd, which .ci/e2e starts. apitest/engine
// simulates FrameworkController, because no registry has a FrameworkController
// image for tests. The tests cover the Pods, the init container, the barrier
// and the output of commands, but not the engine.
package e2e
