// Package policy judges plans by the policies of a workspace and of directories
// that it cannot change. It is a function of the plan and the policies: it reads
// no file, no cluster and no clock, and a policy cannot change a plan.
//
// Policies are decoded in hclspec/syntax, which evaluates their expressions. When
// plans are judged, and that a denied one is not applied, is decided in
// internal/operation.
package policy
