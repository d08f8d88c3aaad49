// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import "testing"

func (tm *team) breakPolicyTests() {
	tm.t.Helper()
	tm.write("policies/images.paipolicytest.hcl", "run \"broken\" {\n")
	tm.commit("broken tests")
}

const withoutPlan = "<!-- openpai plan -->\nThere is no plan of this commit: the log of the workflow has the errors. The merge would apply nothing.\n"

// TestAFailedWorkflowRemovesThePlanFromTheComment fails a step before the plan. The
// comment must then omit the plan of the earlier commit.
func TestAFailedWorkflowRemovesThePlanFromTheComment(t *testing.T) {
	t.Parallel()
	tm := newTeam(t)
	tm.branch("train")
	tm.declare("train", "busybox:1.36", "sleep 600")
	tm.commit("train")
	tm.want(tm.job(&tm.workflow, "plan", tm.opened(repository), credentials), "", 0)
	tm.wantComment("The merge applies exactly this plan.")
	tm.breakPolicyTests()
	tm.want(tm.job(&tm.workflow, "plan", tm.opened(repository), credentials), "Test the policies of the pull request", 1)
	if got := tm.forge.comment(); got != withoutPlan {
		t.Errorf("the comment is\n%s", got)
	}
}
