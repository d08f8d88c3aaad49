// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestChangesWithOneCauseFormAGroup checks which changes form a group, and the cause
// of each group.
func TestChangesWithOneCauseFormAGroup(t *testing.T) {
	t.Parallel()
	env, data := step("prerequisite.script.env", "one"), step("prerequisite.data.set", "one")
	newEnv, newData := step("prerequisite.script.env", "two"), step("prerequisite.data.set", "two")
	tests := map[string]struct {
		before, after []*resolve.Job
		live          []liveOption
		want          []string
	}{
		"a shared prerequisite changed": {
			[]*resolve.Job{newJob("a", env), newJob("b", env), newJob("c")}, []*resolve.Job{newJob("a", newEnv), newJob("b", newEnv), newJob("c")}, nil,
			[]string{"prerequisite.script.env changed: job.a job.b", "job.c"},
		},
		"the prerequisite that most jobs use is the cause": {
			[]*resolve.Job{newJob("a", data, env), newJob("b", env), newJob("c", env)},
			[]*resolve.Job{newJob("a", newData, newEnv), newJob("b", newEnv), newJob("c", newEnv)}, nil,
			[]string{"prerequisite.script.env changed: job.a+1 job.b job.c"},
		},
		"jobs begin to use a prerequisite": {
			[]*resolve.Job{newJob("a"), newJob("b")}, []*resolve.Job{newJob("a", env), newJob("b", env)}, nil,
			[]string{"prerequisite.script.env added: job.a job.b"},
		},
		"jobs no longer use a prerequisite": {
			[]*resolve.Job{newJob("a", env), newJob("b", env)}, []*resolve.Job{newJob("a"), newJob("b")}, nil,
			[]string{"prerequisite.script.env removed: job.a job.b"},
		},
		"a shared image changed": {
			[]*resolve.Job{newJob("a", image("torch", "1")), newJob("b", image("torch", "1"))},
			[]*resolve.Job{newJob("a", image("torch", "2")), newJob("b", image("torch", "2"))}, nil,
			[]string{"prerequisite.dockerimage.torch changed: job.a job.b"},
		},
		"an image that a job no longer uses is not the cause": {
			[]*resolve.Job{newJob("a", image("torch", "1")), newJob("b", image("jax", "1"))},
			[]*resolve.Job{newJob("a", image("torch", "2")), newJob("b", image("torch", "2"))}, nil,
			[]string{"job.a", "job.b"},
		},
		"the scheduler of the cluster changed": {
			[]*resolve.Job{newJob("a", onGPU), newJob("b", onGPU)}, []*resolve.Job{newJob("a", onGPU, hived("test")), newJob("b", onGPU, hived("prod"))}, nil,
			[]string{"cluster.gpu changed: job.a+1 job.b+1"},
		},
		"equal changes without a cause": {
			[]*resolve.Job{newJob("a"), newJob("b")}, []*resolve.Job{newJob("a", withCommands("x")), newJob("b", withCommands("x"))}, nil,
			[]string{": job.a job.b"},
		},
		"different changes of different jobs": {
			[]*resolve.Job{newJob("a"), newJob("b")}, []*resolve.Job{newJob("a", withCommands("x")), newJob("b", withCommands("y"))}, nil,
			[]string{"job.a", "job.b"},
		},
		"instances that share a part of their difference": {
			[]*resolve.Job{instance("0"), instance("1")},
			[]*resolve.Job{instance("0", withCommands("x"), withInstances(3)), instance("1", withCommands("y"), withInstances(3))}, nil,
			[]string{`: job.exp["0"]+1 job.exp["1"]+1`},
		},
		"instances that change the same field to different values": {
			[]*resolve.Job{instance("0"), instance("1"), newJob("a")},
			[]*resolve.Job{instance("0", withCommands("x")), instance("1", withCommands("y")), newJob("a", withCommands("z"))}, nil,
			[]string{`: job.exp["0"]+1 job.exp["1"]+1`, "job.a"},
		},
		"instances that change different fields": {
			[]*resolve.Job{instance("0"), instance("1")},
			[]*resolve.Job{instance("0", withCommands("x")), instance("1", withInstances(3))}, nil,
			[]string{`job.exp["0"]`, `job.exp["1"]`},
		},
		"instances of a changed prerequisite": {
			[]*resolve.Job{newJob("a", step(`prerequisite.script.env["0"]`, "one 0")), newJob("b", step(`prerequisite.script.env["1"]`, "one 1"))},
			[]*resolve.Job{newJob("a", step(`prerequisite.script.env["0"]`, "two 0")), newJob("b", step(`prerequisite.script.env["1"]`, "two 1"))}, nil,
			[]string{"prerequisite.script.env changed: job.a+1 job.b+1"},
		},
		"instances of a prerequisite with an equal change": {
			[]*resolve.Job{newJob("a", step(`prerequisite.script.env["0"]`, "one")), newJob("b", step(`prerequisite.script.env["1"]`, "one"))},
			[]*resolve.Job{newJob("a", step(`prerequisite.script.env["0"]`, "two")), newJob("b", step(`prerequisite.script.env["1"]`, "two"))}, nil,
			[]string{"prerequisite.script.env changed: job.a job.b"},
		},
		"one instance of a prerequisite": {
			[]*resolve.Job{newJob("a", step(`prerequisite.script.env["0"]`, "one")), newJob("b", step(`prerequisite.script.env["0"]`, "one"))},
			[]*resolve.Job{newJob("a", step(`prerequisite.script.env["0"]`, "two")), newJob("b", step(`prerequisite.script.env["0"]`, "two"))}, nil,
			[]string{`prerequisite.script.env["0"] changed: job.a job.b`},
		},
		"jobs begin to use instances of a prerequisite": {
			[]*resolve.Job{newJob("a"), newJob("b")},
			[]*resolve.Job{newJob("a", step(`prerequisite.script.env["0"]`, "one")), newJob("b", step(`prerequisite.script.env["1"]`, "one"))}, nil,
			[]string{"prerequisite.script.env added: job.a job.b"},
		},
		"instances that are created": {
			nil, []*resolve.Job{instance("0"), instance("1"), newJob("a")}, nil,
			[]string{`: job.exp["0"] job.exp["1"]+1`, "job.a"},
		},
		"jobs that are deleted": {
			[]*resolve.Job{newJob("a"), newJob("b")}, nil, nil, []string{": job.a job.b"},
		},
		"jobs that do not change": {
			[]*resolve.Job{newJob("a"), newJob("b")}, []*resolve.Job{newJob("a"), newJob("b")}, []liveOption{inState(planner.StateSucceeded)},
			[]string{": job.a job.b"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live := map[string]*planner.Snapshot{"local": {}, "gpu": {}}
			for _, job := range tt.before {
				live[job.Cluster].Jobs = append(live[job.Cluster].Jobs, newLive(job, tt.live...))
			}
			p := planner.New(planner.Options{Workspace: "ws", Jobs: tt.after, Live: live})
			if diff := cmp.Diff(tt.want, describe(p.Groups())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestGroupsHoldEveryChangeOnce checks that each change is in exactly one
// group, and that the parts of a group contain all its members.
func TestGroupsHoldEveryChangeOnce(t *testing.T) {
	t.Parallel()
	var jobs []*resolve.Job
	var live []*planner.LiveJob
	for i := range 60 {
		job := newJob(fmt.Sprintf("j%d", i), step("prerequisite.script.env", "one"))
		if i%7 != 0 {
			live = append(live, newLive(job))
		}
		if i%5 != 0 {
			jobs = append(jobs, newJob(fmt.Sprintf("j%d", i), step("prerequisite.script.env", fmt.Sprint(i%3)), withCommands(fmt.Sprint(i%2))))
		}
	}
	p := planner.New(planner.Options{Workspace: "ws", Jobs: jobs, Live: has(live...)})
	seen := map[*planner.Change]int{}
	for _, g := range p.Groups() {
		inParts := 0
		for _, part := range g.Parts() {
			inParts += len(part.Members)
		}
		if inParts != len(g.Members) {
			t.Errorf("the parts of a group have %d of %d members", inParts, len(g.Members))
		}
		for _, m := range g.Members {
			seen[m.Change]++
		}
	}
	for _, c := range p.Changes {
		if seen[c] != 1 {
			t.Errorf("%s is in %d groups", c.Address, seen[c])
		}
	}
}

// TestPartsAddUpImpact checks that a part's impact contains the total number
// of tasks that end.
func TestPartsAddUpImpact(t *testing.T) {
	t.Parallel()
	p := planner.New(planner.Options{Workspace: "ws", Live: has(newLive(newJob("a")), newLive(newJob("b")), newLive(newJob("c"), inState(planner.StateWaiting)))})
	var got []string
	for _, g := range p.Groups() {
		for _, part := range g.Parts() {
			got = append(got, fmt.Sprintf("%d jobs, %s %d", len(part.Members), part.Impact.Code, part.Impact.Tasks))
		}
	}
	want := []string{"2 jobs, tasks-end 4", "1 jobs, never-starts 0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// describe returns "CAUSE KIND: MEMBER+PARTICULAR ..." for a group. For a
// single change, it returns the address.
func describe(groups []planner.Group) []string {
	var all []string
	for _, g := range groups {
		var members []string
		for _, m := range g.Members {
			name := string(m.Change.Address)
			others := slices.DeleteFunc(m.Particular, func(f planner.FieldChange) bool { return f.Path == "name" })
			if len(others) > 0 {
				name += fmt.Sprintf("+%d", len(others))
			}
			if m.Change.Action == planner.Create && len(members) > 0 && len(m.Particular) > 0 {
				name += "+1"
			}
			members = append(members, name)
		}
		if len(members) == 1 {
			all = append(all, members[0])
			continue
		}
		all = append(all, strings.TrimSpace(string(g.Cause)+" "+string(g.CauseKind))+": "+strings.Join(members, " "))
	}
	return all
}

func step(address, command string) jobOption {
	return withRole(func(r *resolve.TaskRole) {
		r.Steps = append(r.Steps, &resolve.Step{
			Address: address, Name: "x", Type: "script", Plugin: "cmd", FailurePolicy: "fail",
			Callbacks: []*resolve.Callback{{Event: "taskStarts", Commands: []string{command}}},
		})
	})
}

func onGPU(j *resolve.Job) { j.Cluster = "gpu" }

func hived(class string) jobOption {
	return func(j *resolve.Job) { j.Hived = &resolve.Hived{JobPriorityClass: class} }
}

func image(name, tag string) jobOption {
	return withRole(func(r *resolve.TaskRole) {
		r.Image = resolve.Image{Address: "prerequisite.dockerimage." + name, URI: name + ":" + tag}
	})
}

func instance(key string, options ...jobOption) *resolve.Job {
	return newJob("exp-"+key, append([]jobOption{func(j *resolve.Job) {
		j.Address = hclspec.NewAddress("job", fmt.Sprintf("exp[%q]", key))
		j.Framework = contract.FrameworkName("alice", "exp-"+key)
	}}, options...)...)
}
