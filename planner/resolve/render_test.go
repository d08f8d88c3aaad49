// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestReferencesExceptSecretsAreReplacedInATaskRole(t *testing.T) {
	t.Parallel()
	data := prerequisite("data", "covid")
	data.URI = []string{"http://one/<% $parameters.s %>", "http://two?<% $secrets.token %>"}
	code := prerequisite("script", "code")
	code.URI, code.Parameters = []string{"git://code"}, map[string]any{"branch": "main", "parts": []any{"x"}}
	data.Callbacks, code.Callbacks = nil, nil // the test reads only their fields
	names := func(_ *hclspec.Job, r *hclspec.TaskRole) {
		r.Data, r.Script = hclspec.Reference{Target: "covid"}, hclspec.Reference{Target: "code"}
	}
	input := map[string]any{"s": "text", "n": hclspec.Number("0.10"), "b": false, "tag": "<% $parameters.s %>", "secret": "x <% $secrets.token %>", "map": map[string]any{"a.b": "dotted"}}
	for name, c := range map[string]struct{ in, want string }{
		"a parameter":                             {"<% $parameters.s %>", "text"},
		"a number as written":                     {"<% $parameters.n %>", "0.10"},
		"a boolean":                               {"<%$parameters.b%>", "false"},
		"a key with a dot":                        {`<% $parameters.map["a.b"] %>`, "dotted"},
		"a value is not rendered again":           {"<% $parameters.tag %>", "<%% $parameters.s %>"},
		"a parameter may hold a secret":           {"<% $parameters.secret %>", "x <% $secrets.token %>"},
		"a reference to a secret is unchanged":    {"echo <%$secrets.token%>", "echo <% $secrets.token %>"},
		"a secret in a mapping of secrets":        {"login <% $secrets.registry.user %>", "login <% $secrets.registry.user %>"},
		"a secret in a list of secrets":           {"login <% $secrets.keys[0] %>", "login <% $secrets.keys[0] %>"},
		"an address of data":                      {"git clone <% $data.uri[0] %>", "git clone http://one/text"},
		"an address with a secret":                {"<% $data.uri[1] %>", "http://two?<% $secrets.token %>"},
		"the only address of a script":            {"<% $script.uri %> <% $script.uri[0] %>", "git://code git://code"},
		"fields and parameters of a prerequisite": {"<% $script.name %> <% $script.type %> <% $script.branch %> <% $script.parameters.branch %> <% $script.parts[0] %>", "code script main main x"},
		"an escape":                               {"<%% $secrets.token %>", "<%% $secrets.token %>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws := workspace([]*hclspec.Prerequisite{data, code}, jobOf(commands(c.in), parameters(input), names))
			ws.Secrets = []*hclspec.Secret{{Name: "token"}, {Name: "unused"}, {Name: "registry.user"}, {Name: "keys.0"}}
			role := resolveOne(t, ws).TaskRoles[0]
			if diff := cmp.Diff([]string{c.want}, role.Commands); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if used := strings.Contains(c.want, "<% $secrets"); used != (len(role.Secrets) == 1) {
				t.Errorf("secrets %v for %q", role.Secrets, c.want)
			}
		})
	}
}

func TestReferencesWithoutAValueAreReportedAndEscaped(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, code, want string }{
		"an unknown parameter":            {"<% $parameters.bach %>", "unresolved-reference", "Task role \"worker\" contains the reference `<% $parameters.bach %>`, which is not a parameter of the job; the job declares \"batch\", \"map\". Did you mean \"batch\"?"},
		"a mapping":                       {"<% $parameters.map %>", "unresolved-reference", "Task role \"worker\" contains the reference `<% $parameters.map %>`, which is a map; only strings, numbers, bools and lists of them can be inserted."},
		"data that the role does not set": {"<% $data.uri[0] %>", "unresolved-reference", "Task role \"worker\" contains the reference `<% $data.uri[0] %>`, which has no value here, because task role \"worker\" does not set a prerequisite in its field data."},
		"this outside a prerequisite":     {"<% this.x %>", "unresolved-reference", "Task role \"worker\" contains the reference `<% this.x %>`, which is allowed only in a prerequisite."},
		"an unknown context":              {"<% $job.name %>", "unresolved-reference", "Task role \"worker\" contains the reference `<% $job.name %>`, which begins with an unknown context; valid contexts are $parameters, $secrets, $data, $script, $output and this."},
		"a missing dollar":                {"<% parameters.batch %>", "unresolved-reference", "Task role \"worker\" contains the reference `<% parameters.batch %>`, which does not start with $parameters, $secrets, $data, $script, $output or this."},
		"an unclosed reference":           {"<% $parameters.batch", "unresolved-reference", "Task role \"worker\" contains the reference `<% $parameters.batch`, which is not closed with %>."},
		"an unknown secret":               {"<% $secrets.tokn %>", "unknown-secret", "Task role \"worker\" refers to `<% $secrets.tokn %>`, but no such secret is declared. Did you mean \"token\"?"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, imported := range []bool{false, true} {
				job := jobOf(commands("echo "+c.in), parameters(map[string]any{"batch": "1", "map": map[string]any{}}))
				want := c.code + " 101: " + c.want
				if imported {
					protocol(job, job.TaskRoles[0])
					want = c.code + "-imported 101: " + c.want
				}
				ws := workspace(nil, job)
				ws.Secrets = []*hclspec.Secret{{Name: "token"}}
				jobs, diags := All(Input{Workspace: ws})
				if diff := cmp.Diff(want, strings.TrimSpace(diagnostics(diags))); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				if diags.HasErrors() == imported {
					t.Errorf("imported %v, errors %v", imported, diags.HasErrors())
				}
				if got := jobs[0].TaskRoles[0].Commands[0]; got != "echo "+strings.ReplaceAll(c.in, "<%", "<%%") {
					t.Errorf("the text became %q", got)
				}
			}
		})
	}
}

func TestTextThatOnlyLooksLikeAReferenceIsAWarning(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"printf '<%s>' x", "<%= erb %>", "<%# comment %>"} {
		jobs, diags := All(Input{Workspace: workspace(nil, jobOf(commands(in)))})
		if diags.HasErrors() || len(diags) != 1 || hclspec.Code(diags[0]) != "suspicious-tag" || strings.Contains(diags[0].Detail, "%!") {
			t.Errorf("%q: %s", in, diagnostics(diags))
		}
		if strings.HasPrefix(in, "<%") && !strings.Contains(diags[0].Detail, "`"+in+"`") {
			t.Errorf("%q is not shown as written: %s", in, diags[0].Detail)
		}
		if got := jobs[0].TaskRoles[0].Commands[0]; got != strings.ReplaceAll(in, "<%", "<%%") {
			t.Errorf("%q became %q", in, got)
		}
	}
}

func TestReferencesToThisUseTheNearestPrerequisite(t *testing.T) {
	t.Parallel()
	storage := prerequisite("storage", "nfs")
	storage.Plugin, storage.Parameters = "rest.storage", map[string]any{"config": "c", "mountPoint": "/mnt/<% $parameters.p %>"}
	other := script("other")
	other.Parameters = map[string]any{"mountPoint": "/other"}
	deep := script("deep", "nfs")
	using := func(command string, requires ...string) *hclspec.Prerequisite {
		p := prerequisite("data", "d", requires...)
		p.Parameters = map[string]any{"own": "o", "both": "<% this.own %>/<% $parameters.p %>", "n": hclspec.Number("7")}
		p.Callbacks[0].Commands = []string{command}
		return p
	}
	for name, c := range map[string]struct {
		p          *hclspec.Prerequisite
		want, code string
	}{
		"an own parameter": {using("<% this.own %> <% this.parameters.own %> <% this.n %>"), "o o 7", ""},
		"a parameter that contains another parameter": {using("<% this.both %>"), "o/P", ""},
		"a field":                                {using("<% this.name %> <% this.type %>"), "d data", ""},
		"a parameter of a required prerequisite": {using("<% this.mountPoint %>/x", "nfs"), "/mnt/P/x", ""},
		"a parameter of an indirectly required prerequisite": {using("<% this.mountPoint %>", "deep"), "/mnt/P", ""},
		"the nearer value takes precedence":                  {using("<% this.mountPoint %>", "deep", "other"), "/other", ""},
		"two different values at the same distance":          {using("<% this.mountPoint %>", "nfs", "other"), "/mnt/P", "ambiguous-inheritance"},
		"the same value twice is not ambiguous":              {using("<% this.mountPoint %>", "other", "other2"), "/other", ""},
		"an address of a required prerequisite":              {using("<% this.uri[0] %>", "code"), "git://code", ""},
		"no prerequisite has the field":                      {using("<% this.gone %>", "nfs"), "<%% this.gone %>", "unresolved-reference"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			other2 := *other
			other2.Name = "other2"
			code := script("code")
			code.URI = []string{"git://code"}
			ws := workspace([]*hclspec.Prerequisite{storage, other, &other2, deep, code, c.p}, jobOf(uses("d"), parameters(map[string]any{"p": "P"})))
			ws.Storages = []*hclspec.Storage{{Name: "c"}}
			jobs, diags := All(Input{Workspace: ws})
			if code := firstCode(diagnostics(diags)); code != c.code {
				t.Errorf("diagnostics:\n%s", diagnostics(diags))
			}
			steps := jobs[0].TaskRoles[0].Steps
			if got := steps[len(steps)-1].Callbacks[0].Commands[0]; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func firstCode(diagnostics string) string {
	code, _, _ := strings.Cut(diagnostics, " ")
	return code
}

func TestSecretsOfTheJobAreThoseThatAreUsed(t *testing.T) {
	t.Parallel()
	image := &hclspec.Prerequisite{Type: "dockerimage", Name: "i", URI: []string{"r/x"}, Auth: &hclspec.Auth{Username: "u", Password: "<% $secrets.pull %>"}}
	job := jobOf(commands("<% $secrets.own %>"), func(j *hclspec.Job, r *hclspec.TaskRole) {
		r.Image = hclspec.Reference{Target: "prerequisite.dockerimage.i"}
		j.Secrets = []*hclspec.Secret{{Name: "own", Version: "7"}}
		j.Plugins = []*hclspec.Plugin{{Name: "ssh", Parameters: map[string]any{"userssh": map[string]any{"value": "<% $secrets.key %>"}}}}
	})
	ws := workspace([]*hclspec.Prerequisite{image}, job)
	ws.Secrets = []*hclspec.Secret{{Name: "own"}, {Name: "pull"}, {Name: "key"}, {Name: "unused"}}
	got := resolveOne(t, ws)
	if diff := cmp.Diff([]string{"key", "own"}, got.TaskRoles[0].Secrets); diff != "" {
		t.Errorf("role (-want +got)\n%s", diff)
	}
	names := []string{}
	for _, s := range got.Secrets {
		names = append(names, s.Name+s.Version)
		if found := FindSecret(ws, got.Address, s.Name); found != s.Declared {
			t.Errorf("%s is %v, want %v", s.Name, found, s.Declared)
		}
	}
	if diff := cmp.Diff([]string{"key", "own7", "pull"}, names); diff != "" {
		t.Errorf("job (-want +got)\n%s", diff)
	}
	want := Image{Address: "prerequisite.dockerimage.i", URI: "r/x", Username: "u", Password: "<% $secrets.pull %>"}
	if diff := cmp.Diff(want, got.TaskRoles[0].Image); diff != "" {
		t.Errorf("image (-want +got)\n%s", diff)
	}
}

// TestAnEscapeReachesNoImageAndNoURI resolves a YAML job with escaped tags.
// Images and prerequisite URIs must contain literal text, because no later stage
// renders them.
func TestAnEscapeReachesNoImageAndNoURI(t *testing.T) {
	t.Parallel()
	const written, meant = "https://example.org/<%% $parameters.x %>", "https://example.org/<% $parameters.x %>"
	var all []*hclspec.Prerequisite
	for _, kind := range []string{"script", "data", "output"} {
		p := prerequisite(kind, kind)
		p.URI = []string{written}
		all = append(all, p)
	}
	image := prerequisite("dockerimage", "i")
	image.URI = []string{"r/x:<%% y %>"}
	job := jobOf(uses("script", "data", "output"), func(j *hclspec.Job, r *hclspec.TaskRole) {
		j.Syntax, j.Prerequisites = hclspec.SyntaxProtocol, append(all, image)
		r.Image = hclspec.Reference{Target: "i", Path: r.Path}
	})
	jobs, diags := All(Input{Workspace: workspace(nil, job)})
	if want := `invalid-image 54: "r/x:<% y %>" is not a valid image reference.`; !strings.HasPrefix(diagnostics(diags), want) {
		t.Errorf("diagnostics\n%s", diagnostics(diags))
	}
	for _, s := range jobs[0].TaskRoles[0].Steps {
		if diff := cmp.Diff([]string{meant}, s.URI); diff != "" {
			t.Errorf("%s (-want +got)\n%s", s.Address, diff)
		}
	}
	if len(jobs[0].TaskRoles[0].Steps) != len(all) {
		t.Errorf("%d steps", len(jobs[0].TaskRoles[0].Steps))
	}
}
