// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// user returns a part whose task role lists all its prerequisites.
func user(label string, secrets map[string]string, list ...*hclspec.Prerequisite) *Part {
	p := partOf(label, secrets, list...)
	role := p.Workspace.Jobs[0].TaskRoles[0]
	for _, one := range list {
		role.Prerequisites = append(role.Prerequisites, hclspec.Reference{Target: string(one.Address())})
	}
	return p
}

func data(change func(*hclspec.Prerequisite)) *hclspec.Prerequisite {
	p := &hclspec.Prerequisite{
		Type: "data", Name: "set", URI: []string{"one", "two"}, Environment: map[string]string{"MODE": "fast"}, Parameters: map[string]any{"part": "a", "size": 1},
		Fetch:     []*hclspec.Fetch{{URL: "https://x/1", To: "set/"}},
		Callbacks: []*hclspec.Callback{{Event: "taskStarts", Commands: []string{"echo <% this.part %>", "ls"}}},
	}
	change(p)
	return p
}

func unchanged(*hclspec.Prerequisite) {}

func TestDefinitionsThatDifferInOneStringAreMerged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*hclspec.Prerequisite)
		value  string // variable=value in the second job, or "" if MergeTemplates merges nothing
	}{
		"uri":                           {func(p *hclspec.Prerequisite) { p.URI[1] = "three" }, "uri=three"},
		"url":                           {func(p *hclspec.Prerequisite) { p.Fetch[0].URL = "https://x/2" }, "url=https://x/2"},
		"target":                        {func(p *hclspec.Prerequisite) { p.Fetch[0].To = "b/" }, "to=b/"},
		"command":                       {func(p *hclspec.Prerequisite) { p.Callbacks[0].Commands[1] = "ls -l" }, "command=ls -l"},
		"environment":                   {func(p *hclspec.Prerequisite) { p.Environment["MODE"] = "" }, "MODE="},
		"parameter":                     {func(p *hclspec.Prerequisite) { p.Parameters["part"] = "b" }, "part=b"},
		"equal":                         {unchanged, ""},
		"two values":                    {func(p *hclspec.Prerequisite) { p.URI[0], p.URI[1] = "a", "b" }, ""},
		"another command":               {func(p *hclspec.Prerequisite) { p.Callbacks[0].Commands = []string{"ls"} }, ""},
		"another event":                 {func(p *hclspec.Prerequisite) { p.URI[0], p.Callbacks[0].Event = "a", "taskFails" }, ""},
		"another variable":              {func(p *hclspec.Prerequisite) { p.Environment = map[string]string{"OTHER": "fast"} }, ""},
		"a number":                      {func(p *hclspec.Prerequisite) { p.Parameters["size"] = 2 }, ""},
		"a description":                 {func(p *hclspec.Prerequisite) { p.Description = "d" }, ""},
		"a value with a reference":      {func(p *hclspec.Prerequisite) { p.URI[0] = "<% $parameters.x %>" }, ""},
		"a value of several lines":      {func(p *hclspec.Prerequisite) { p.Callbacks[0].Commands[1] = "a\nb" }, ""},
		"braces":                        {func(p *hclspec.Prerequisite) { p.URI[0] = "{{ x }}" }, ""},
		"a name that is not a variable": {func(p *hclspec.Prerequisite) { p.Parameters["a.b"] = "x" }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first, second := user("a", nil, data(unchanged)), user("b", nil, data(c.change))
			templates := MergeTemplates(&hclspec.Workspace{}, []*Part{first, second})
			got := ""
			for _, one := range templates {
				reference := second.Workspace.Jobs[0].TaskRoles[0].Prerequisites[0]
				got += fmt.Sprintf("%s=%v", one.Variable, reference.With[one.Variable])
			}
			if got != c.value {
				t.Errorf("merged %q, want %q", got, c.value)
			}
			if isTop := len(first.Workspace.Prerequisites) == 1; isTop != (c.value != "" || name == "equal") {
				t.Errorf("top level: %v", isTop)
			}
		})
	}
}

// A merge must not have side effects. For example, the template variable must
// not change a prerequisite outside the merged group.
func TestOnlySafeUsesAreMergedIntoATemplate(t *testing.T) {
	t.Parallel()
	one, two := func() *hclspec.Prerequisite { return hook("h", "1") }, func() *hclspec.Prerequisite { return hook("h", "2") }
	login := func(command string) *hclspec.Prerequisite {
		p := hook("login", command)
		p.Environment = map[string]string{"KEY": secretTag("key")}
		return p
	}
	key, other := map[string]string{"key": "1"}, map[string]string{"key": "2"}
	empty := &hclspec.Workspace{}
	requires := hook("top", "t", "prerequisite.script.h")
	for name, c := range map[string]struct {
		there *hclspec.Workspace
		parts []*Part
		want  []string
	}{
		"three jobs":              {empty, []*Part{user("a", nil, one()), user("b", nil, two()), user("c", nil, one())}, []string{"prerequisite.script.h[a b c]"}},
		"one job differs more":    {empty, []*Part{user("a", nil, one()), user("b", nil, two()), user("c", nil, hook("h", "1", "prerequisite.script.x"))}, nil},
		"an unused prerequisite":  {empty, []*Part{user("a", nil, one()), partOf("b", nil, two())}, nil},
		"a required prerequisite": {empty, []*Part{user("a", nil, one(), requires), user("b", nil, two())}, nil},
		"a shared name":           {empty, []*Part{user("a", nil, one(), &hclspec.Prerequisite{Type: "data", Name: "h"}), user("b", nil, two())}, nil},
		"images":                  {empty, []*Part{user("a", nil, image("x")), user("b", nil, image("y"))}, nil},
		"an equal secret":         {empty, []*Part{user("a", key, login("1")), user("b", key, login("2"))}, []string{"prerequisite.script.login[a b]"}},
		"different secrets":       {empty, []*Part{user("a", key, login("1")), user("b", other, login("2"))}, nil},
		"an existing declaration": {&hclspec.Workspace{Prerequisites: []*hclspec.Prerequisite{one()}}, []*Part{user("a", nil, one()), user("b", nil, two())}, nil},
		"an existing job":         {&hclspec.Workspace{Jobs: []*hclspec.Job{{Label: "c", Prerequisites: []*hclspec.Prerequisite{one()}}}}, []*Part{user("a", nil, one()), user("b", nil, two())}, nil},
		"a job in YAML":           {empty, []*Part{user("a", nil, one()), {Workspace: &hclspec.Workspace{Protocols: []*hclspec.Protocol{{Label: "b"}}}}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, one := range MergeTemplates(c.there, c.parts) {
				got = append(got, fmt.Sprint(one.Address, one.Jobs))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
