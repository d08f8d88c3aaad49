// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
)

const secretsRoot = `
secret "tok" { env = "ROOT" }
secret "only_root" { env = "ROOT" }
variable "password" {
  sensitive = true
  default   = "canary"
}
module "b" { source = "b" }
module "m" {
  source   = "m"
  for_each = toset(["k"])
  variables = {
    given    = secret.tok
    text     = "text <% $secrets.tok %>"
    list     = ["<% $secrets.only_root %>"]
    of_b     = module.b.own
    password = var.password
  }
}
job "root" {
  task_role "w" {
    commands = ["${module.m["k"].own} ${module.m["k"].given} ${module.b.stolen} <%$secrets.tok%>"]
  }
}
`

const secretsModule = `
secret "tok" { env = "OWN" }
variable "given" {}
variable "text" {}
variable "list" {}
variable "of_b" {}
variable "password" { sensitive = true }
variable "fallback" { default = "<% $secrets.tok %>" }
output "own" { value = "<% $secrets.tok %>" }
output "given" { value = var.given }
module "n" {
  source    = "n"
  variables = { given = var.given, own = "<% $secrets.tok %>" }
}
locals { formatted = format("<%% $secrets.%s %%>", "tok") }
secret "copy" { value = var.password }
job "j" {
  task_role "w" {
    commands = [COMMANDS]
  }
}
`

// secretModules returns the files of each module. A job in the module "m"
// runs the commands.
func secretModules(t *testing.T, commands string) func(ModuleRequest) (*ModuleFiles, *hcl.Diagnostic) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.sh"), []byte("file <% $secrets.tok %> ${v}"), 0o600); err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{
		"b": "secret \"tok\" { env = \"B\" }\noutput \"own\" { value = \"<% $secrets.tok %>\" }\noutput \"stolen\" { value = \"<% $secrets.only_root %>\" }\n",
		"m": strings.ReplaceAll(secretsModule, "COMMANDS", commands),
		"n": "variable \"given\" {}\nvariable \"own\" {}\njob \"j\" {\n  task_role \"w\" {\n    commands = [\"${var.given} ${var.own} <% $secrets.tok %>\"]\n  }\n}\n",
	}
	return func(r ModuleRequest) (*ModuleFiles, *hcl.Diagnostic) {
		name := r.Call.Source
		return &ModuleFiles{Files: map[string][]byte{name + "/main.pai.hcl": []byte(sources[name])}, Dir: dir, Origin: name}, nil
	}
}

// commandsOf returns the first command of each job by address. The module "m"
// runs the given commands.
func commandsOf(t *testing.T, commands string) map[string]string {
	t.Helper()
	ws, _ := Decode(Input{Files: map[string][]byte{"main.pai.hcl": []byte(secretsRoot)}, Module: secretModules(t, commands)})
	found := map[string]string{}
	for _, job := range ws.Jobs {
		found[string(job.Address())] = job.TaskRoles[0].Commands[0]
	}
	return found
}

func TestATagInAModuleNamesASecretOfTheModule(t *testing.T) {
	t.Parallel()
	const own, unknown = `<% $secrets['module.m["k"].secret.tok'] %>`, `<% $secrets['module.m["k"].secret.only_root'] %>`
	for sentence, c := range map[string]struct{ in, want string }{
		"a tag":                         {`"<% $secrets.tok %>"`, own},
		"a tag in brackets":             {`"<%$secrets[\"tok\"]%>"`, own},
		"a reference":                   {`secret.tok`, own},
		"a secret of the root":          {`"<% $secrets.only_root %>"`, unknown},
		"a heredoc":                     {"<<-E\n<% $secrets.tok %>\nE\n", own + "\n"},
		"an argument":                   {`format("%s%s", "<% $secrets.tok ", "%>")`, own},
		"a local value":                 {`local.formatted`, own},
		"a default":                     {`var.fallback`, own},
		"a file":                        {`file("x.sh")`, "file " + own + " ${v}"},
		"a template file":               {`templatefile("x.sh", { v = var.given })`, "file " + own + " <% $secrets.tok %>"},
		"a given secret":                {`"${var.given} <% $secrets.tok %>"`, "<% $secrets.tok %> " + own},
		"a tag of the caller":           {`var.text`, "text <% $secrets.tok %>"},
		"an element of the caller":      {`join(",", concat(var.list, ["<% $secrets.only_root %>"]))`, "<% $secrets.only_root %>," + unknown},
		"a secret of another module":    {`var.of_b`, "<% $secrets.module.b.secret.tok %>"},
		"a sensitive variable":          {`var.password`, "<% $secrets.var_password %>"},
		"the name of a given secret":    {`"<% $secrets['secret.only_root'] %>"`, `<% $secrets['module.m["k"].secret["secret.only_root"]'] %>`},
		"the address of another module": {`"<% $secrets['module.b.secret.tok'] %>"`, `<% $secrets['module.m["k"].secret["module.b.secret.tok"]'] %>`},
		"an address without brackets":   {`"<% $secrets.module.b.secret.tok %>"`, `<% $secrets['module.m["k"].secret["module.b.secret.tok"]'] %>`},
		"an escape":                     {`"<%% $secrets.tok %>"`, "<%% $secrets.tok %>"},
		"another context":               {`"<% $parameters.tok %>"`, "<% $parameters.tok %>"},
	} {
		t.Run(sentence, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, commandsOf(t, c.in)[`module.m["k"].job.j`]); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestSecretsKeepTheirMeaningAcrossModules(t *testing.T) {
	t.Parallel()
	got := commandsOf(t, `"x"`)
	const own = `<% $secrets['module.m["k"].secret.tok'] %>`
	want := map[string]string{
		`module.m["k"].job.j`:          "x",
		`module.m["k"].module.n.job.j`: "<% $secrets.tok %> " + own + ` <% $secrets['module.m["k"].module.n.secret.tok'] %>`,
		"job.root":                     own + " <% $secrets.tok %> <% $secrets.module.b.secret.only_root %> <%$secrets.tok%>",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
