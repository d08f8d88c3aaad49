// Package policytest runs the tests of a directory of policies: each makes a plan
// of a small workspace, without any cluster, and compares what policies say of it
// with what is expected.
//
// Policies are read in internal/workspace and judged in planner/policy. The tests
// are files *.paipolicytest.hcl beside the policies.
package policytest
