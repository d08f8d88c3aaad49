// SPDX-License-Identifier: MPL-2.0

// Package policy checks plans against policies. Policies come from the workspace
// and from directories that the workspace cannot change. The result depends only on
// the plan and the policies, not on files, clusters or the clock. A policy cannot
// change a plan.
//
// hclspec/syntax decodes policies and evaluates their expressions.
// internal/operation decides when to check a plan and rejects denied plans.
package policy
