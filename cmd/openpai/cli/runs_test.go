// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRunsAndPathsAreAcceptedInAnyOrder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args, runs, rest, fails string
		count                   int
	}{
		"the run first":                 {args: "1 a.yaml", runs: "1", rest: "a.yaml"},
		"the path first":                {args: "a.yaml job.train@2", runs: "job.train@2", rest: "a.yaml"},
		"the path between":              {args: "1 lab 2", count: 2, runs: "1 2", rest: "lab"},
		"digits of a UID":               {args: "lab 0123abcd", runs: "0123abcd", rest: "lab"},
		"a path with the form of a RUN": {args: "./12 3", runs: "3", rest: "./12"},
		"a mistyped run":                {args: "train@x lab", runs: "train@x", rest: "lab"},
		"a run too many":                {args: "1 2", fails: `unexpected RUN "2"; for a directory with that name, use ./2`},
	} {
		runs, rest, err := splitRuns(strings.Fields(c.args), max(c.count, 1))
		if (err != nil || c.fails != "") && (err == nil || err.Error() != c.fails) {
			t.Errorf("%s: error %v, want %q", name, err, c.fails)
		}
		if diff := cmp.Diff([]string{c.runs, c.rest}, []string{strings.Join(runs, " "), strings.Join(rest, " ")}); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}
