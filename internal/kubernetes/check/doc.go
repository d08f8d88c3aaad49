// Package check finds what a Kubernetes cluster lacks for the jobs of a
// workspace: the engine, permissions, storages, nodes, Pod security. It only
// reads. What it finds is a list of cluster.CheckResult; a check that the API
// server refuses to answer has the result unknown and is not an error.
//
// Package kubernetes calls it for "cluster check" and asks it, before each
// apply, whether a part of OpenPAI would delete the jobs.
package check
