// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestOnlyASuccessfulJobReturnsZero(t *testing.T) {
	t.Parallel()
	code := func(n int) *int { return &n }
	for name, c := range map[string]struct {
		state      planner.JobState
		user, spec *int
		want       int
	}{
		"a job that succeeded":                                {planner.StateSucceeded, code(0), code(0), 0},
		"a successful job returns 0 regardless of its tasks":  {planner.StateSucceeded, code(3), nil, 0},
		"the user's own code":                                 {planner.StateFailed, code(7), code(255), 7},
		"the specification's code if there is no user's code": {planner.StateFailed, nil, code(250), 250},
		"a failure never exits with 0":                        {planner.StateFailed, code(0), nil, 1},
		"codes that no process can return become 1":           {planner.StateFailed, code(-8000), code(256), 1},
		"stopped without a code":                              {planner.StateStopped, nil, nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := jobCode(c.state, c.user, c.spec); got != c.want {
				t.Errorf("the code is %d, want %d", got, c.want)
			}
		})
	}
}

func TestOutcomesOfJobsDetermineTheExitCode(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		codes []int
		want  int
	}{
		"no job":                       {nil, 0},
		"one job returns its own code": {[]int{7}, 7},
		"all succeeded":                {[]int{0, 0}, 0},
		"one of several failed":        {[]int{0, 7}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var outcomes []outcome
			for _, code := range c.codes {
				outcomes = append(outcomes, outcome{code: code})
			}
			if got := exitCode(outcomes); got != c.want {
				t.Errorf("the code is %d, want %d", got, c.want)
			}
		})
	}
}
