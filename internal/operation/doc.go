// Package operation carries out what a user asks for: plan, apply, adopt,
// destroy, stop, wait. It owns the order of the steps: open the clusters, guard
// them, read what is live, plan and render, check what was rendered, lock, make
// sure that the plan still holds, write. Both front ends call it, so a rule
// about jobs shows in both.
//
// It decides nothing about one job: planner does. It prints nothing and asks
// nobody: a front end gives the input, receives facts, and is notified of progress
// through small interfaces. What diagnostics forbid is a [Refused].
package operation
