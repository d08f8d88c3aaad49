// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestASecretIsReadFromItsSource(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- one.txt --\nfrom file\n-- two.txt --\ntwo\n\n-- home/.token --\nfrom home\n-- empty.txt --\n\n")
	if err := os.WriteFile(filepath.Join(dir, "windows.txt"), []byte("from windows\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	loaded := &Loaded{Dir: dir, environ: []string{
		"TOKEN=first", "TOKEN=from environment", "EMPTY=", "HOME=" + filepath.Join(dir, "home"),
	}}
	for name, c := range map[string]struct {
		secret hclspec.Secret
		want   string
		err    string
	}{
		"written in the file":         {hclspec.Secret{Value: hclspec.NewSensitive("inline")}, "inline", ""},
		"environment":                 {hclspec.Secret{Env: "TOKEN"}, "from environment", ""},
		"environment, not set":        {hclspec.Secret{Env: "NOBODY"}, "", "the environment variable NOBODY is not set"},
		"environment, empty":          {hclspec.Secret{Env: "EMPTY"}, "", "the environment variable EMPTY is empty"},
		"file of the workspace":       {hclspec.Secret{File: "one.txt"}, "from file", ""},
		"only one newline is removed": {hclspec.Secret{File: "two.txt"}, "two\n", ""},
		"a newline of Windows":        {hclspec.Secret{File: "windows.txt"}, "from windows", ""},
		"file of the home directory":  {hclspec.Secret{File: "~/.token"}, "from home", ""},
		"absolute file":               {hclspec.Secret{File: filepath.Join(dir, "one.txt")}, "from file", ""},
		"file that is missing":        {hclspec.Secret{File: "gone.txt"}, "", "the file gone.txt cannot be read: it does not exist"},
		"file that is empty":          {hclspec.Secret{File: "empty.txt"}, "", "the file empty.txt is empty"},
		"directory":                   {hclspec.Secret{File: "home"}, "", "the file home cannot be read: is a directory"},
		"key of a Kubernetes Secret":  {hclspec.Secret{Kubernetes: &hclspec.SecretKey{Name: "s", Key: "k"}}, "", "the local cluster cannot read the Kubernetes Secret"},
		"no source at all":            {hclspec.Secret{}, "", "has no source"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.secret.Name = "x"
			got, err := loaded.SecretValue(&c.secret)
			if got != c.want {
				t.Errorf("the value is %q, want %q", got, c.want)
			}
			switch {
			case err == nil && c.err != "":
				t.Errorf("no error, want an error with %q", c.err)
			case err != nil && (c.err == "" || !strings.Contains(err.Error(), c.err)):
				t.Errorf("the error is %q, want an error with %q", err, c.err)
			}
		})
	}
}

// TestAProtocolBlockDeclaresSecrets checks that secrets in a protocol block
// replace values in the YAML file, including masked values.
func TestAProtocolBlockDeclaresSecrets(t *testing.T) {
	t.Parallel()
	dir := unpack(t, `-- a.pai.hcl --
protocol "a" {
  file = "a.yaml"
  secret "token" { env = "TOKEN" }
  secret "registry.user" { env = "USER_OF_IT" }
  secret "tokn" { env = "TOKEN" }
}
-- a.yaml --
protocolVersion: 2
name: a
type: job
secrets: {token: '******', other: '******', registry: {user: ada}}
prerequisites:
  - {name: i, type: dockerimage, uri: busybox}
taskRoles:
  w:
    dockerImage: i
    commands: ["login <% $secrets.token %> <% $secrets.registry.user %>"]
    resourcePerInstance: {gpu: 0, cpu: 1, memoryMB: 64}
`)
	loaded, diags := Load(Options{Path: dir})
	var got []string
	for _, d := range diags {
		got = append(got, hclspec.Code(d)+" "+d.Detail)
	}
	want := []string{
		`unknown-secret a.yaml does not declare the secret "tokn". Did you mean "token"?`,
		`yaml-masked-secret The value of the secret other is masked with asterisks. Write the value before you run the job.`,
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("diagnostics (-want +got)\n%s", diff)
	}
	sources := map[string]string{}
	for _, s := range loaded.Workspace.Jobs[0].Secrets {
		sources[s.Name] = s.Env
	}
	if diff := cmp.Diff(map[string]string{"token": "TOKEN", "other": "", "registry.user": "USER_OF_IT"}, sources); diff != "" {
		t.Errorf("sources (-want +got)\n%s", diff)
	}
}
