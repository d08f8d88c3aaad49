// Package e2e runs the Pods of jobs for real, on a node with kubelet and
// containerd that .ci/e2e brings up, with the openpai program as a user has
// it. FrameworkController is stood in for by apitest/engine, since no registry
// has its image for tests: what is shown here are the Pods, the init
// container, the barrier and what commands print, not that engine.
package e2e
