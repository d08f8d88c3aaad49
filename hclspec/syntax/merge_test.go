// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// partOf returns a part with one job and with top-level prerequisites, like
// Hoist.
func partOf(label string, secrets map[string]string, list ...*hclspec.Prerequisite) *Part {
	role := &hclspec.TaskRole{Name: "w", Image: hclspec.Reference{Target: "prerequisite.dockerimage.image"}}
	job := &hclspec.Job{Label: label, Name: label, Path: hclspec.Path("job." + label), TaskRoles: []*hclspec.TaskRole{role}}
	ws := &hclspec.Workspace{Jobs: []*hclspec.Job{job}, Prerequisites: list}
	for name, value := range secrets {
		ws.Secrets = append(ws.Secrets, &hclspec.Secret{Name: name, Value: hclspec.NewSensitive(value)})
	}
	return &Part{Workspace: ws}
}

func image(uri string) *hclspec.Prerequisite {
	return &hclspec.Prerequisite{Type: "dockerimage", Name: "image", URI: []string{uri}}
}

func hook(name, command string, require ...string) *hclspec.Prerequisite {
	p := &hclspec.Prerequisite{Type: "script", Name: name, Callbacks: []*hclspec.Callback{{Event: "taskStarts", Commands: []string{command}}}}
	for _, target := range require {
		p.Require = append(p.Require, hclspec.Reference{Target: target})
	}
	return p
}

// places lists the prerequisites at the top level and in the job, and the
// task role image.
func places(p *Part) string {
	var all []string
	for _, one := range p.Workspace.Prerequisites {
		all = append(all, one.Name)
	}
	all = append(all, "|")
	for _, one := range p.Workspace.Jobs[0].Prerequisites {
		all = append(all, one.Name)
	}
	target := p.Workspace.Jobs[0].TaskRoles[0].Image.Target
	return strings.Join(append(all, "|", strings.TrimPrefix(target, "prerequisite.dockerimage.")), " ")
}

func TestMergeDeclaresOnce(t *testing.T) {
	t.Parallel()
	empty := &hclspec.Workspace{}
	for name, c := range map[string]struct {
		there *hclspec.Workspace
		parts []*Part
		want  []string
	}{
		"equal prerequisites": {empty, []*Part{partOf("a", nil, image("x"), hook("h", "1")), partOf("b", nil, image("x"), hook("h", "1"))}, []string{"image h | | image", "| | image"}},
		"another image":       {empty, []*Part{partOf("a", nil, image("x")), partOf("b", nil, image("y"))}, []string{"image | | image", "image_2 | | image_2"}},
		"another script":      {empty, []*Part{partOf("a", nil, image("x"), hook("h", "1")), partOf("b", nil, image("x"), hook("h", "2"))}, []string{"image | h | image", "| h | image"}},
		"a prerequisite that requires a different prerequisite": {empty, []*Part{partOf("a", nil, hook("h", "1"), hook("top", "t", "prerequisite.script.h")), partOf("b", nil, hook("h", "2"), hook("top", "t", "prerequisite.script.h"))}, []string{"| h top | image", "| h top | image"}},
		"next to existing declarations":                         {&hclspec.Workspace{Prerequisites: []*hclspec.Prerequisite{image("x"), hook("h", "1")}}, []*Part{partOf("a", nil, image("x"), hook("h", "1")), partOf("b", nil, image("z"), hook("h", "2"))}, []string{"| | image", "image_2 | h | image_2"}},
		"next to jobs with the same names":                      {&hclspec.Workspace{Jobs: []*hclspec.Job{{Label: "b", Prerequisites: []*hclspec.Prerequisite{image("x"), hook("h", "1")}}}}, []*Part{partOf("a", nil, image("x"), hook("h", "1"), hook("top", "t"))}, []string{"image_2 top | h | image_2"}},
		"an equal image with another name":                      {&hclspec.Workspace{Prerequisites: []*hclspec.Prerequisite{{Type: "dockerimage", Name: "torch", URI: []string{"x"}}}}, []*Part{partOf("a", nil, image("x"))}, []string{"| | torch"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			Merge(c.there, c.parts)
			var got []string
			for _, p := range c.parts {
				got = append(got, strings.TrimSpace(places(p)))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestMergeDistinguishesSecrets(t *testing.T) {
	t.Parallel()
	login := func() *hclspec.Prerequisite { return hook("login", "login <% $secrets.key %>") }
	for name, c := range map[string]struct {
		there *hclspec.Workspace
		parts []*Part
		want  []string // top level | job | elsewhere | places
	}{
		"of one job":    {&hclspec.Workspace{}, []*Part{partOf("a", map[string]string{"key": "1"}, login())}, []string{"|key||| login | image"}},
		"equal":         {&hclspec.Workspace{}, []*Part{partOf("a", map[string]string{"key": "1"}, login()), partOf("b", map[string]string{"key": "1"}, login())}, []string{"key|||login | | image", "||key|| | image"}},
		"different":     {&hclspec.Workspace{}, []*Part{partOf("a", map[string]string{"key": "1"}, login()), partOf("b", map[string]string{"key": "2"}, login())}, []string{"|key||| login | image", "|key||| login | image"}},
		"next to a job": {&hclspec.Workspace{Jobs: []*hclspec.Job{{Label: "c", Secrets: []*hclspec.Secret{{Name: "key"}}}}}, []*Part{partOf("a", map[string]string{"key": "1"}), partOf("b", map[string]string{"key": "1"})}, []string{"|key||| | image", "|key||| | image"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			Merge(c.there, c.parts)
			var got []string
			for _, p := range c.parts {
				names := func(secrets []*hclspec.Secret) (all string) {
					for _, s := range secrets {
						all += s.Name
					}
					return all
				}
				got = append(got, strings.Join([]string{names(p.Workspace.Secrets), names(p.Workspace.Jobs[0].Secrets), strings.Join(p.SecretsElsewhere, ""), places(p)}, "|"))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
