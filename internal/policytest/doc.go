// SPDX-License-Identifier: MPL-2.0

// Package policytest runs the tests in a directory of policies. Each test plans a
// small workspace without a cluster. It compares the verdicts of the policies with
// the expected verdicts.
//
// internal/workspace reads policies, and planner/policy evaluates them. The tests
// are in *.paipolicytest.hcl files next to the policies.
package policytest
