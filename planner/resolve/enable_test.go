// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// names sets the fields data, script and output of a role.
func names(data, script, output string) func(*hclspec.Job, *hclspec.TaskRole) {
	return func(_ *hclspec.Job, r *hclspec.TaskRole) {
		ref := func(field, target string) hclspec.Reference {
			if target == "" {
				return hclspec.Reference{}
			}
			return hclspec.Reference{Target: target, Path: r.Path.Attr(field)}
		}
		r.Data, r.Script, r.Output = ref("data", data), ref("script", script), ref("output", output)
	}
}

func onlyURI(kind, name string) *hclspec.Prerequisite {
	p := prerequisite(kind, name)
	p.Callbacks, p.URI = nil, []string{"https://example.org/" + name}
	return p
}

func TestWhatAFieldNamesStarts(t *testing.T) {
	t.Parallel()
	plugin, mounting, fetching := onlyURI("data", "set"), onlyURI("data", "set"), onlyURI("data", "set")
	plugin.Plugin, mounting.RequireStorages = "cmd", []*hclspec.StorageUse{{Name: "nfs"}}
	fetching.Fetch = []*hclspec.Fetch{{URL: "https://example.org/set", To: "set"}}
	for name, c := range map[string]struct {
		declared []*hclspec.Prerequisite
		role     func(*hclspec.Job, *hclspec.TaskRole)
		list     []string
		want     string
	}{
		"callbacks": {[]*hclspec.Prerequisite{prerequisite("data", "set")}, names("set", "", ""), nil, "data.set"},
		"a fetch":   {[]*hclspec.Prerequisite{fetching}, names("set", "", ""), nil, "data.set"},
		"a plugin":  {[]*hclspec.Prerequisite{plugin}, names("set", "", ""), nil, "data.set"},
		"a storage that the prerequisite requires":   {[]*hclspec.Prerequisite{mounting}, names("set", "", ""), nil, "data.set"},
		"a URI alone does not start a prerequisite":  {[]*hclspec.Prerequisite{onlyURI("data", "set")}, names("set", "", ""), nil, ""},
		"a prerequisite with its requirements":       {[]*hclspec.Prerequisite{prerequisite("data", "set", "wget"), script("wget")}, names("set", "", ""), nil, "script.wget data.set"},
		"data, script, output, the list":             {[]*hclspec.Prerequisite{prerequisite("output", "o"), script("s"), prerequisite("data", "d"), script("first")}, names("d", "s", "o"), []string{"first"}, "data.d script.s output.o script.first"},
		"a listed prerequisite keeps its position":   {[]*hclspec.Prerequisite{prerequisite("data", "d"), script("first")}, names("d", "", ""), []string{"first", "d"}, "script.first data.d"},
		"a required prerequisite keeps its position": {[]*hclspec.Prerequisite{prerequisite("data", "d"), script("first", "d")}, names("d", "", ""), []string{"first"}, "data.d script.first"},
		"a script that data requires":                {[]*hclspec.Prerequisite{prerequisite("data", "d", "s"), script("s")}, names("d", "s", ""), nil, "script.s data.d"},
		"a name with two types":                      {[]*hclspec.Prerequisite{prerequisite("data", "x"), script("x")}, names("x", "", ""), nil, "data.x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws := workspace(c.declared, jobOf(c.role, uses(c.list...)))
			ws.Storages = []*hclspec.Storage{{Name: "nfs", Claim: "nfs"}}
			var got []string
			for _, s := range resolveOne(t, ws).TaskRoles[0].Steps {
				got = append(got, strings.TrimPrefix(s.Address, "prerequisite."))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestAFieldRefersToExactlyOneInstance(t *testing.T) {
	t.Parallel()
	with := func(dir string) map[string]any { return map[string]any{"dir": dir} }
	field := func(values map[string]any) func(*hclspec.Job, *hclspec.TaskRole) {
		return func(_ *hclspec.Job, r *hclspec.TaskRole) {
			r.Data = hclspec.Reference{Target: "set", With: values, Path: r.Path.Attr("data")}
			r.Commands = []string{"ls <% $data.dir %>"}
		}
	}
	for name, c := range map[string]struct {
		role []func(*hclspec.Job, *hclspec.TaskRole)
		want string // the instances and the command, or the diagnostics
	}{
		"the field sets the values":                    {[]func(*hclspec.Job, *hclspec.TaskRole){field(with("/a"))}, `{dir="/a"} ls /a`},
		"the field refers to the only listed instance": {[]func(*hclspec.Job, *hclspec.TaskRole){field(nil), usesWith("set", with("/b"))}, `{dir="/b"} ls /b`},
		"one of two instances, by its values":          {[]func(*hclspec.Job, *hclspec.TaskRole){field(with("/c")), usesWith("set", with("/b")), usesWith("set", with("/c"))}, `{dir="/b"} {dir="/c"} ls /c`},
		"two instances, without values":                {[]func(*hclspec.Job, *hclspec.TaskRole){field(nil), usesWith("set", with("/b")), usesWith("set", with("/c"))}, "ambiguous-instance"},
		"values that differ from the listed instance":  {[]func(*hclspec.Job, *hclspec.TaskRole){field(with("/a")), usesWith("set", with("/b"))}, "ambiguous-instance"},
		"no values":                            {[]func(*hclspec.Job, *hclspec.TaskRole){field(nil)}, "missing-template-variable"},
		"an unknown variable outside the list": {[]func(*hclspec.Job, *hclspec.TaskRole){field(map[string]any{"dri": 1}), usesWith("set", with("/b"))}, "unknown-template-variable"},
		"the same values in field and list":    {[]func(*hclspec.Job, *hclspec.TaskRole){field(with("/b")), usesWith("set", with("/b"))}, `{dir="/b"} ls /b`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := prerequisite("data", "set")
			set.TemplateVariables = []*hclspec.TemplateVariable{{Name: "dir"}}
			set.Parameters = map[string]any{"dir": "{{ dir }}"}
			jobs, diags := All(Input{Workspace: workspace([]*hclspec.Prerequisite{set}, jobOf(c.role...)), User: "ada"})
			var got []string
			for _, d := range diags {
				got = append(got, hclspec.Code(d))
			}
			if len(diags) == 0 {
				for _, s := range jobs[0].TaskRoles[0].Steps {
					got = append(got, strings.TrimPrefix(s.Address, "prerequisite.data.set"))
				}
				got = append(got, jobs[0].TaskRoles[0].Commands...)
			}
			if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("(-want +got)\n%s\n%s", diff, diagnostics(diags))
			}
		})
	}
}

func TestAJobForOpenPAIIsWarnedAndListsItAfterwards(t *testing.T) {
	t.Parallel()
	ws := workspace([]*hclspec.Prerequisite{prerequisite("data", "set"), script("first")}, jobOf(protocol, names("set", "", ""), uses("first")))
	jobs, diags := All(Input{Workspace: ws, User: "ada"})
	if len(diags) != 1 || hclspec.EntryOf(diags[0]) != PrerequisiteEnabled {
		t.Errorf("diagnostics:\n%s", diagnostics(diags))
	}
	listed := jobs[0].AddEnabled()
	var got []string
	for _, ref := range listed.TaskRoles[0].Prerequisites {
		got = append(got, ref.Target)
	}
	if diff := cmp.Diff([]string{"prerequisite.data.set", "first"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(ws.Jobs[0].TaskRoles[0].Prerequisites) != 1 {
		t.Error("AddEnabled changed the declared job")
	}
	ws.Jobs[0] = listed
	if _, diags = All(Input{Workspace: ws, User: "ada"}); len(diags) != 0 {
		t.Errorf("with the list:\n%s", diagnostics(diags))
	}
}
