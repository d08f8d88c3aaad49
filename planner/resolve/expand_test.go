// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestDependenciesStartFirst(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prerequisites []*hclspec.Prerequisite
		uses          []string
		want          []string
	}{
		"the list of the role determines the order": {
			[]*hclspec.Prerequisite{script("a"), script("b")}, []string{"b", "a"},
			[]string{"prerequisite.script.b", "prerequisite.script.a"}},
		"dependencies first, each require in the order written": {
			[]*hclspec.Prerequisite{script("a", "c", "b"), script("b"), script("c")}, []string{"a"},
			[]string{"prerequisite.script.c", "prerequisite.script.b", "prerequisite.script.a"}},
		"a step runs once, even if several steps require it": {
			[]*hclspec.Prerequisite{script("a", "shared"), script("b", "shared"), script("shared")}, []string{"a", "b", "shared", "a"},
			[]string{"prerequisite.script.shared", "prerequisite.script.a", "prerequisite.script.b"}},
		"names, addresses and bracketed addresses are the same": {
			[]*hclspec.Prerequisite{prerequisite("data", "3d"), script("a")}, []string{`prerequisite.data["3d"]`, "3d", `prerequisite["script"]["a"]`, "prerequisite.script.a"},
			[]string{`prerequisite.data["3d"]`, "prerequisite.script.a"}},
		"an instance of for_each": {
			[]*hclspec.Prerequisite{prerequisite("data", `set["a"]`)}, []string{`prerequisite.data.set["a"]`},
			[]string{`prerequisite.data.set["a"]`}},
		"an image without callbacks does nothing": {
			[]*hclspec.Prerequisite{{Type: "dockerimage", Name: "i", URI: []string{"ubuntu"}}, prerequisite("dockerimage", "hooked")}, []string{"i", "hooked"},
			[]string{"prerequisite.dockerimage.hooked"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job := resolveOne(t, workspace(c.prerequisites, jobOf(uses(c.uses...))))
			if diff := cmp.Diff(c.want, addresses(job.TaskRoles[0].Steps)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestAStepListsWhatRequiresIt(t *testing.T) {
	t.Parallel()
	ws := workspace([]*hclspec.Prerequisite{script("a", "c"), script("b", "c"), script("c", "d"), script("d")}, jobOf(uses("a", "b", "d")))
	got := map[string][]string{}
	for _, s := range resolveOne(t, ws).TaskRoles[0].Steps {
		got[s.Name] = s.RequiredBy
	}
	want := map[string][]string{"a": nil, "b": nil, "c": {"prerequisite.script.a", "prerequisite.script.b"}, "d": nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestJobPrerequisitesComeBeforeThoseOfTheWorkspace(t *testing.T) {
	t.Parallel()
	inner := script("a")
	inner.Callbacks[0].Commands = []string{"inner"}
	own := func(j *hclspec.Job, _ *hclspec.TaskRole) {
		j.Prerequisites = []*hclspec.Prerequisite{inner}
		j.ReferencePrerequisites = []*hclspec.Prerequisite{{Name: "ref", Path: "job.j.reference_prerequisite[0]", Require: refs("", "a")}}
	}
	job := resolveOne(t, workspace([]*hclspec.Prerequisite{script("a"), script("b", "a")}, jobOf(own, uses("ref", "b"))))
	steps := job.TaskRoles[0].Steps
	want := []string{"job.j.prerequisite.script.a", "prerequisite.script.ref", "prerequisite.script.a", "prerequisite.script.b"}
	if diff := cmp.Diff(want, addresses(steps)); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
	if steps[0].Callbacks[0].Commands[0] != "inner" || steps[2].Callbacks[0].Commands[0] != "echo a" {
		t.Errorf("wrong definitions: %v and %v", steps[0].Callbacks[0], steps[2].Callbacks[0])
	}
}

func TestInvalidReferencesToPrerequisitesAreReported(t *testing.T) {
	t.Parallel()
	both := []*hclspec.Prerequisite{script("x"), prerequisite("data", "x"), prerequisite("dockerimage", "img")}
	for name, c := range map[string]struct {
		prerequisites []*hclspec.Prerequisite
		job           *hclspec.Job
		want          string
	}{
		"a name without a declaration": {
			[]*hclspec.Prerequisite{script("justecho")}, jobOf(uses("justecho_wrong")),
			`unknown-prerequisite 101: Task role "worker" refers to the prerequisite "justecho_wrong", which is not declared in the job and the workspace. Did you mean "justecho"?`},
		"an address that does not exist": {
			[]*hclspec.Prerequisite{script("justecho")}, jobOf(uses("prerequisite.script.justech")),
			`unknown-prerequisite 101: Task role "worker" refers to the prerequisite "prerequisite.script.justech", which is not declared in the job and the workspace. Did you mean "prerequisite.script.justecho"?`},
		"the message shows the require chain": {
			[]*hclspec.Prerequisite{script("a", "b"), script("b", "gone")}, jobOf(uses("a")),
			`unknown-prerequisite 2: prerequisite.script.b refers to the prerequisite "gone", which is not declared in the workspace. Require chain: task role "worker" -> prerequisite.script.a -> prerequisite.script.b.`},
		"the message shows only the ends of a long require chain": {
			chain(40, "gone"), jobOf(uses("p0")),
			`unknown-prerequisite 40: prerequisite.script.p39 refers to the prerequisite "gone", which is not declared in the workspace. Require chain: task role "worker"` +
				` -> prerequisite.script.p0 -> prerequisite.script.p1 -> prerequisite.script.p2 -> prerequisite.script.p3 -> 31 more` +
				` -> prerequisite.script.p35 -> prerequisite.script.p36 -> prerequisite.script.p37 -> prerequisite.script.p38 -> prerequisite.script.p39.`},
		"a name with two types": {
			both, jobOf(uses("x")),
			`ambiguous-prerequisite 101: Task role "worker" refers to "x", which is both prerequisite.script.x and prerequisite.data.x. Write the address of the intended prerequisite.`},
		"the field determines the type": {
			both, jobOf(func(_ *hclspec.Job, r *hclspec.TaskRole) { r.Data = hclspec.Reference{Target: "x", Path: r.Path} }), ""},
		"a field with another type": {
			both, jobOf(func(_ *hclspec.Job, r *hclspec.TaskRole) { r.Data = hclspec.Reference{Target: "img", Path: r.Path} }),
			`wrong-prerequisite-type 101: Task role "worker" requires a prerequisite of type data, but "img" has type dockerimage.`},
		"data as the image": {
			both, jobOf(func(_ *hclspec.Job, r *hclspec.TaskRole) {
				r.Image = hclspec.Reference{Target: "prerequisite.data.x", Path: r.Path}
			}),
			`wrong-prerequisite-type 101: Task role "worker" requires a prerequisite of type dockerimage, but "prerequisite.data.x" has type data.`},
		"an item without any source": {
			nil, jobOf(uses("marketplace://name/mnist")),
			"items-not-initialised 101: Task role \"worker\" refers to marketplace://name/mnist, which is not in the lock file. hint:fetch"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := All(Input{Workspace: workspace(c.prerequisites, c.job), User: "alice"})
			if diff := cmp.Diff(c.want, strings.TrimSpace(diagnostics(diags))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// chain returns scripts that each require the next script. The final script
// requires last.
func chain(length int, last string) []*hclspec.Prerequisite {
	var all []*hclspec.Prerequisite
	for n := range length - 1 {
		all = append(all, script(fmt.Sprint("p", n), fmt.Sprint("p", n+1)))
	}
	return append(all, script(fmt.Sprint("p", length-1), last))
}

func TestCyclesAreShownWhole(t *testing.T) {
	t.Parallel()
	grows := script("grows")
	grows.TemplateVariables = []*hclspec.TemplateVariable{{Name: "x"}}
	grows.Require = []hclspec.Reference{{Target: "grows", With: map[string]any{"x": "{{ x }}a"}, Path: grows.Path}}
	for name, c := range map[string]struct {
		prerequisites []*hclspec.Prerequisite
		job           *hclspec.Job
		want          string
	}{
		"three prerequisites that require each other": {
			[]*hclspec.Prerequisite{script("c", "a"), script("a", "b"), script("b", "c")}, jobOf(uses("c")),
			"prerequisite-cycle 2: The requirements of these prerequisites form a cycle:\n" +
				"  prerequisite.script.a requires prerequisite.script.b (main.pai.hcl:2)\n" +
				"  prerequisite.script.b requires prerequisite.script.c (main.pai.hcl:3)\n" +
				"  prerequisite.script.c requires prerequisite.script.a (main.pai.hcl:1)\n"},
		"each of two cycles is reported once for all roles": {
			[]*hclspec.Prerequisite{script("a", "a"), script("x", "y"), script("y", "x")},
			jobOf(uses("a", "y"), func(j *hclspec.Job, r *hclspec.TaskRole) {
				second := *r
				second.Name, second.Prerequisites = "second", refs(r.Path, "x", "a")
				j.TaskRoles = append(j.TaskRoles, &second)
			}),
			"prerequisite-cycle 1: The requirements of these prerequisites form a cycle:\n" +
				"  prerequisite.script.a requires prerequisite.script.a (main.pai.hcl:1)\n" +
				"prerequisite-cycle 2: The requirements of these prerequisites form a cycle:\n" +
				"  prerequisite.script.x requires prerequisite.script.y (main.pai.hcl:2)\n" +
				"  prerequisite.script.y requires prerequisite.script.x (main.pai.hcl:3)\n"},
		"values that grow with each iteration": {
			[]*hclspec.Prerequisite{grows}, jobOf(usesWith("grows", map[string]any{"x": "a"})),
			"prerequisite-cycle 1: The requirements of these prerequisites form a cycle:\n" +
				"  prerequisite.script.grows{x=\"a\"} requires prerequisite.script.grows{x=\"a\"} (main.pai.hcl:1)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := All(Input{Workspace: workspace(c.prerequisites, c.job), User: "alice"})
			if diff := cmp.Diff(c.want, diagnostics(diags)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// randomPrerequisites returns up to 200 prerequisites in random order,
// without cycles.
func randomPrerequisites(r *rand.Rand) ([]*hclspec.Prerequisite, []string) {
	n := 1 + r.IntN(200)
	list := make([]*hclspec.Prerequisite, n)
	var used []string
	for i := range n {
		var requires []string
		for range r.IntN(4) {
			if i > 0 {
				requires = append(requires, fmt.Sprintf("p%d", r.IntN(i)))
			}
		}
		list[i] = script(fmt.Sprintf("p%d", i), requires...)
		if r.IntN(4) == 0 {
			used = append(used, list[i].Name)
		}
	}
	r.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
	r.Shuffle(len(used), func(i, j int) { used[i], used[j] = used[j], used[i] })
	return list, used
}

func TestRandomPrerequisitesStartInOrder(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		prerequisites, used := randomPrerequisites(rand.New(rand.NewPCG(seed, 7)))
		ws := workspace(prerequisites, jobOf(uses(used...)))
		job := resolveOne(t, ws)
		order := addresses(job.TaskRoles[0].Steps)
		if sorted := slices.Compact(slices.Sorted(slices.Values(order))); len(sorted) != len(order) {
			t.Fatalf("seed %d: a step twice in %v", seed, order)
		}
		for _, s := range job.TaskRoles[0].Steps {
			for _, needed := range s.Requires {
				if at := slices.Index(order, needed); at < 0 || at > slices.Index(order, s.Address) {
					t.Fatalf("seed %d: %s at %d is not before %s", seed, needed, at, s.Address)
				}
			}
		}
		for _, name := range used {
			if !slices.Contains(order, "prerequisite.script."+name) {
				t.Fatalf("seed %d: %s is missing", seed, name)
			}
		}
		if again := resolveOne(t, ws).Canonical(); !bytes.Equal(job.Canonical(), again) {
			t.Fatalf("seed %d: different bytes", seed)
		}
	}
}

func BenchmarkThousandPrerequisites(b *testing.B) {
	for name, requires := range map[string]func(i int) []string{
		"chain": func(i int) []string { return []string{fmt.Sprintf("p%d", i-1)} },
		"web":   func(i int) []string { return []string{fmt.Sprintf("p%d", i-1), fmt.Sprintf("p%d", i/2), "p0"} },
	} {
		b.Run(name, func(b *testing.B) {
			list := []*hclspec.Prerequisite{script("p0")}
			for i := 1; i < 1000; i++ {
				list = append(list, script(fmt.Sprintf("p%d", i), requires(i)...))
			}
			ws := workspace(list, jobOf(uses("p999")))
			for b.Loop() {
				if _, diags := All(Input{Workspace: ws, User: "alice"}); diags.HasErrors() {
					b.Fatal(diagnostics(diags))
				}
			}
		})
	}
}
