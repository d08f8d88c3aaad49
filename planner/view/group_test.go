// SPDX-License-Identifier: MPL-2.0

package view_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// TestSharedPrerequisiteIsShownOnce uses a prerequisite that 12 jobs share.
func TestSharedPrerequisiteIsShownOnce(t *testing.T) {
	t.Parallel()
	shown := text(t, plans()["causes"], view.TextOptions{})
	if n := strings.Count(shown, "\n"); n > 30 {
		t.Errorf("%d lines:\n%s", n, shown)
	}
	if n := strings.Count(shown, "+ new"); n != 1 {
		t.Errorf("the difference is shown %d times:\n%s", n, shown)
	}
	const title = "prerequisite.script.unpack changed → 12 jobs are replaced, 24 running tasks end\n"
	if !strings.Contains(shown, title) {
		t.Errorf("no title in:\n%s", shown)
	}
}

// TestTheTitleAddsUpJobsWithOtherImpacts checks the title for a cause that
// replaces running and waiting jobs. The title contains the total number of
// jobs; the impacts are shown separately.
func TestTheTitleAddsUpJobsWithOtherImpacts(t *testing.T) {
	t.Parallel()
	live := liveJobs(sharing("old")[:12])
	live[3].State, live[3].RunningTasks = planner.StateWaiting, 0
	p := planner.New(planner.Options{Workspace: "team", Jobs: sharing("new")[:12], Live: map[string]*planner.Snapshot{"gpu": {Jobs: live}}})
	for form, shown := range map[string]string{"text": text(t, p, view.TextOptions{}), "HTML": html(t, p)} {
		for _, want := range []string{
			"prerequisite.script.unpack changed → 12 jobs are replaced, 22 running tasks end",
			"no task is running yet; the job waits again", "22 running tasks end",
		} {
			if !strings.Contains(shown, want) {
				t.Errorf("%s: no %q in:\n%s", form, want, shown)
			}
		}
	}
}

// TestInstancesThatDifferInValuesAreFolded covers changed lines that contain
// the instance key. The changed lines are in a prerequisite or in the job
// itself.
func TestInstancesThatDifferInValuesAreFolded(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		change func(job *resolve.Job, key string, changed bool)
		title  string
	}{
		"a prerequisite with for_each": {func(job *resolve.Job, key string, changed bool) {
			step := job.TaskRoles[0].Steps[0]
			job.Items, step.Source = nil, "" // an item does not have instances
			step.Address = fmt.Sprintf("prerequisite.script.unpack[%q]", key)
			step.Callbacks[0].Commands = []string{fmt.Sprintf("unpack --part %s --force %t", key, changed)}
		}, "prerequisite.script.unpack changed → 12 jobs are replaced, 24 running tasks end\n"},
		"the job": {func(job *resolve.Job, key string, changed bool) {
			job.TaskRoles[0].Commands = []string{fmt.Sprintf("python train.py --seed %s --amp %t", key, changed)}
		}, "-/+ job.exp[0-11] (12 jobs): replace on cluster gpu\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, after := sharing("old")[:12], sharing("old")[:12]
			for i := range before {
				tt.change(before[i], fmt.Sprint(i), false)
				tt.change(after[i], fmt.Sprint(i), true)
			}
			p := planner.New(planner.Options{Workspace: "team", Jobs: after, Live: map[string]*planner.Snapshot{"gpu": {Jobs: liveJobs(before)}}})
			shown := text(t, p, view.TextOptions{})
			if n := strings.Count(shown, "\n"); n > 30 {
				t.Errorf("%d lines:\n%s", n, shown)
			}
			const last = `["11"]: "`
			inJSON, err := view.JSON(p, phrase.Of)
			if err != nil {
				t.Fatal(err)
			}
			for form, found := range map[string]bool{
				"title":       strings.Contains(shown, tt.title),
				"text":        strings.Contains(shown, last),
				"Markdown":    strings.Contains(markdown(t, p, view.MarkdownOptions{}), last),
				"HTML":        strings.Contains(html(t, p), "The same fields differ in job.exp[1-11], with other values."),
				"JSON":        strings.Contains(string(inJSON), `"alike": [`),
				"with detail": !strings.Contains(text(t, p, view.TextOptions{Detail: true}), last),
			} {
				if !found {
					t.Errorf("%s is not as expected in:\n%s", form, shown)
				}
			}
		})
	}
}

// TestVariableIsTheCause checks that all views show the variable, and that
// they show the difference only once.
func TestVariableIsTheCause(t *testing.T) {
	t.Parallel()
	before := sharing("old")
	p := planner.New(planner.Options{Workspace: "team", Jobs: sharing("new"), Live: map[string]*planner.Snapshot{"gpu": {Jobs: liveJobs(before)}}})
	for i, c := range p.Changes {
		c.AttributeTo([]hclspec.Address{"var.epochs"}, before[i], liveJob(before[i]))
	}
	inJSON, err := view.JSON(p, phrase.Of)
	if err != nil {
		t.Fatal(err)
	}
	const title = "var.epochs changed → 12 jobs are replaced, 24 running tasks end"
	shown := text(t, p, view.TextOptions{})
	for form, found := range map[string]bool{
		"text":     strings.Contains(shown, title+"\n") && strings.Count(shown, "+ new") == 1,
		"Markdown": strings.Contains(markdown(t, p, view.MarkdownOptions{}), "`var.epochs` changed: "),
		"HTML":     strings.Contains(html(t, p), title),
		"JSON": strings.Contains(string(inJSON), `"cause": "var.epochs",
      "cause_kind": "changed"`),
	} {
		if !found {
			t.Errorf("%s does not contain the variable, or shows the difference more than once; the text:\n%s", form, shown)
		}
	}
}

// TestDetailShowsEveryJob checks that the Detail option shows each job separately.
func TestDetailShowsEveryJob(t *testing.T) {
	t.Parallel()
	shown := text(t, plans()["causes"], view.TextOptions{Detail: true})
	for i := range 12 {
		if want := fmt.Sprintf("-/+ job.exp[\"%d\"]: replace on cluster gpu\n", i); !strings.Contains(shown, want) {
			t.Errorf("no %q", want)
		}
	}
}

// TestMarkdownKeepsItsLimit checks that a plan with 200 different jobs does not
// exceed the character limit.
func TestMarkdownKeepsItsLimit(t *testing.T) {
	t.Parallel()
	p := manyJobs(200)
	for _, limit := range []int{view.MarkdownLimit, 40_000} {
		shown := markdown(t, p, view.MarkdownOptions{Limit: limit})
		if n := utf8.RuneCountInString(shown); n > limit {
			t.Errorf("%d characters, more than %d", n, limit)
		}
		for _, c := range p.Changes {
			if row := "| `" + c.Address.String() + "` |"; c.Action == planner.Replace && !strings.Contains(shown, row) {
				t.Errorf("limit %d: no row of %s, whose tasks end", limit, c.Address)
			}
		}
		if strings.Count(shown, "<details>") != strings.Count(shown, "</details>") || strings.Count(shown, "```")%2 != 0 {
			t.Error("a block was cut in the middle")
		}
		if !strings.Contains(shown, "omitted because of the character limit") {
			t.Error("the plan does not report that details are omitted")
		}
	}
	if n := len(markdown(t, p, view.MarkdownOptions{})); n < view.MarkdownLimit {
		t.Errorf("%d characters without a limit: the test needs a longer plan", n)
	}
}

// TestMarkdownNeverDropsEndedWork covers a plan that exceeds the limit.
func TestMarkdownNeverDropsEndedWork(t *testing.T) {
	t.Parallel()
	shown := markdown(t, plans()["causes"], view.MarkdownOptions{Limit: 1})
	want := "| replace | `job.exp[0-11]` (12 jobs) | gpu | `prerequisite.script.unpack` changed: the declaration changed | 24 running tasks end |"
	if !strings.Contains(shown, want) {
		t.Errorf("no %q in:\n%s", want, shown)
	}
	if !strings.Contains(shown, "The graph is omitted") || strings.Contains(shown, "<details>") || !strings.Contains(shown, "1 more job without running work omitted") {
		t.Errorf("not counted:\n%s", shown)
	}
}

// manyJobs returns a plan that replaces every other job, each for a different
// reason, and creates the remaining jobs.
func manyJobs(n int) *planner.Plan {
	o := planner.Options{Workspace: "team", Live: map[string]*planner.Snapshot{"gpu": {}}}
	for i := range n {
		job := trainJob()
		job.Address, job.Name = hclspec.Address(fmt.Sprintf("job.train%d", i)), fmt.Sprintf("train-%d", i)
		job.Framework, job.Secrets = fmt.Sprintf("%032x", i), nil
		if i%2 == 0 {
			o.Live["gpu"].Jobs = append(o.Live["gpu"].Jobs, liveJob(job))
			changed := *job
			job = &changed
			role := *job.TaskRoles[0]
			role.Commands = []string{fmt.Sprintf("train --seed %d", i)}
			job.TaskRoles = append(job.TaskRoles[:0:0], &role)
		}
		o.Jobs = append(o.Jobs, job)
	}
	return planner.New(o)
}

func text(t *testing.T, p *planner.Plan, o view.TextOptions) string {
	t.Helper()
	var b bytes.Buffer
	o.Phrase = phrase.Of
	if err := view.Text(&b, p, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func markdown(t *testing.T, p *planner.Plan, o view.MarkdownOptions) string {
	t.Helper()
	var b bytes.Buffer
	o.Phrase = phrase.Of
	if err := view.Markdown(&b, p, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSumsAreShown checks that all views show the sums, including unknown
// usage.
func TestSumsAreShown(t *testing.T) {
	t.Parallel()
	job := trainJob()
	job.Secrets = nil
	job.TaskRoles[0].MaxRunSeconds = 5400
	old := trainJob()
	old.Address, old.Framework, old.VirtualCluster = "job.old", "dddd", "batch"
	p := planner.New(planner.Options{Workspace: "team", Jobs: []*resolve.Job{job}, Live: map[string]*planner.Snapshot{"gpu": {Jobs: []*planner.LiveJob{liveJob(old)}}}})
	shown := text(t, p, view.TextOptions{})
	for _, want := range []string{
		"\n  cluster gpu, virtual cluster batch: 2 -> 0 tasks (-2), 2 -> 0 GPUs (-2), 6 -> 0 CPUs (-6), 8 -> 0 GiB (-8)\n",
		"\n  cluster gpu, virtual cluster default: 0 -> 2 tasks (+2), 0 -> 2 GPUs (+2), 0 -> 6 CPUs (+6), 0 -> 8 GiB (+8)\n",
		"at most 3 GPU-hours per attempt, not including retries.",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in:\n%s", want, shown)
		}
	}
	if want := "| cluster gpu, virtual cluster default | 0 → 2 tasks (+2), 0 → 2 GPUs (+2), "; !strings.Contains(markdown(t, p, view.MarkdownOptions{}), want) {
		t.Errorf("Markdown has no %q", want)
	}
	all, err := view.JSON(p, phrase.Of)
	if want := `"gpu_seconds_per_attempt": 10800`; err != nil || !strings.Contains(string(all), want) {
		t.Errorf("JSON has no %q: %v", want, err)
	}
}

// TestGroupsInMarkdownCannotBeBrokenOut checks that instance keys, which can be any
// string, cannot add markup.
func TestGroupsInMarkdownCannotBeBrokenOut(t *testing.T) {
	t.Parallel()
	jobs := sharing("old")[:2]
	for i, key := range []string{"</summary></details><script>@team", "```` \u202e | x"} {
		jobs[i].Address = hclspec.Address(fmt.Sprintf("job.exp[%q]", key))
		jobs[i].TaskRoles[0].Commands = []string{"````", "</details>", fmt.Sprint(i)}
	}
	p := planner.New(planner.Options{Workspace: "team", Jobs: jobs, Live: map[string]*planner.Snapshot{"gpu": {}}})
	shown := markdown(t, p, view.MarkdownOptions{})
	outside := regexp.MustCompile("(?s)\n(`{3,})[a-z]+\n.*?\n`{3,}\n").ReplaceAllString(shown, "\n")
	outside = regexp.MustCompile("`+ ?[^\n]*?`+").ReplaceAllString(outside, "")
	for _, bad := range []string{"<script", "@team", "\u202e"} {
		if strings.Contains(outside, bad) {
			t.Errorf("%q acts in:\n%s", bad, outside)
		}
	}
	if n := strings.Count(outside, "</details>"); n != strings.Count(outside, "<details>") {
		t.Errorf("%d ends of blocks in:\n%s", n, outside)
	}
	if strings.Contains(shown, "\u202e") {
		t.Error("a character that reverses the text direction is not escaped")
	}
}

// TestMarkdownOfManyInstancesKeepsTheGraph checks that a graph remains if the differences
// exceed the character limit.
func TestMarkdownOfManyInstancesKeepsTheGraph(t *testing.T) {
	t.Parallel()
	var jobs []*resolve.Job
	for i := range 1000 {
		job := sharing("old")[0]
		job.Address = hclspec.Address(fmt.Sprintf("job.exp[\"%d\"]", i))
		job.Framework, job.TaskRoles[0].Environment = fmt.Sprintf("%032x", i), map[string]string{fmt.Sprintf("SEED_%d", i): "1"}
		jobs = append(jobs, job)
	}
	p := planner.New(planner.Options{Workspace: "team", Jobs: jobs, Live: map[string]*planner.Snapshot{"gpu": {}}})
	shown := markdown(t, p, view.MarkdownOptions{Limit: view.MarkdownLimit})
	for _, want := range []string{"`job.exp[0-999]` (1000 jobs)", "what runs in job.exp", "The details of 1000 jobs are omitted"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in:\n%s", want, shown)
		}
	}
}

// TestAGraphThatIsTooLargeIsMentioned checks that a note replaces a graph
// only if the graph is too large.
func TestAGraphThatIsTooLargeIsMentioned(t *testing.T) {
	t.Parallel()
	shown := markdown(t, manyJobs(100), view.MarkdownOptions{})
	if strings.Contains(shown, "```mermaid") || !strings.Contains(shown, "The graph is omitted: it is too large to be readable.") {
		t.Error("the Markdown has the graph, or omits it without a note")
	}
	if few := markdown(t, manyJobs(2), view.MarkdownOptions{}); !strings.Contains(few, "```mermaid") || strings.Contains(few, "The graph is omitted") {
		t.Errorf("no graph in:\n%s", few)
	}
}
