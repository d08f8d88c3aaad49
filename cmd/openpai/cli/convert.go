// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/internal/shellquote"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// conversion holds the result of converting one job file to HCL.
type conversion struct {
	from string // the YAML file
	name string // job label and base name of the output files
	dir  string
	part *syntax.Part
	// kept holds the job's secrets as they were before identical secrets were
	// merged.
	kept     []*hclspec.Secret
	variable func(secret string) string
	comments []hclspec.Comment
	private  map[hclspec.Path][]string
	explicit func(hclspec.Path) bool
	// loaded is the job as YAML.
	loaded *project
	// yaml is the content of the YAML file to write if the job remains YAML.
	yaml []byte
}

func (c *conversion) hclFile() string  { return filepath.Join(c.dir, c.name+".pai.hcl") }
func (c *conversion) yamlFile() string { return filepath.Join(c.dir, c.name+".yaml") }
func (c *conversion) envFile() string  { return filepath.Join(c.dir, c.name+".secrets.env") }

// env returns the environment file, which sets the secrets of the HCL file. The content
// is empty if the HCL file does not declare secrets.
func (c *conversion) env() []byte {
	shared := slices.DeleteFunc(slices.Clone(c.kept), func(s *hclspec.Secret) bool { return slices.Contains(c.part.SecretsElsewhere, s.Name) })
	return environmentFile(shared, c.variable, c.private)
}

func (c *conversion) hcl() []byte {
	return syntax.Write(c.part.Workspace, syntax.WriteOptions{
		SecretEnv: c.variable, SecretsElsewhere: c.part.SecretsElsewhere,
		ParameterVariables: true, Variables: c.part.Variables, Elsewhere: c.part.Elsewhere, Comments: c.comments, Explicit: c.explicit,
	})
}

func (c *conversion) outputs() []string {
	files := []string{c.hclFile()}
	if c.yaml != nil {
		files = append(files, c.yamlFile())
	}
	if len(c.env()) > 0 {
		files = append(files, c.envFile())
	}
	return files
}

// convert reads a job file and prints its warnings.
func (o *importOptions) convert(name string) (*conversion, error) {
	flags := o.workspace
	flags.path = name
	loaded, diags := flags.load()
	p := &project{loaded: loaded}
	if diags.HasErrors() {
		return nil, p.diagnosticsError(diags)
	}
	if len(loaded.Workspace.Jobs) != 1 || loaded.Workspace.Jobs[0].Syntax == hclspec.SyntaxHCL {
		return nil, fmt.Errorf("%s is not a YAML job; import accepts only protocol YAML", name)
	}
	p.show(o.streams, diags)
	job := loaded.Workspace.Jobs[0]
	ws := syntax.Hoist(job)
	ws.Storages = claims(loaded.Workspace)
	nameStorages(ws)
	c := &conversion{from: name, name: job.Label, dir: o.dir, kept: ws.Secrets, variable: secretVariables(job), loaded: p}
	for _, s := range ws.Secrets {
		if s.Value == nil { // masked
			s.Env = c.variable(s.Name)
		}
	}
	c.comments, c.private = comments(p, name, job)
	c.explicit = func(path hclspec.Path) bool { _, written := loaded.Workspace.Sources[path]; return written }
	for _, m := range loaded.Used() {
		block, err := undeclared(loaded, m, c.hclFile())
		if err != nil {
			return nil, err
		}
		if block != nil {
			ws.Marketplaces = append(ws.Marketplaces, block)
		}
	}
	if !o.keepDownloads {
		ws = syntax.Transfer(ws, func(p *hclspec.Prerequisite) bool { return hasComment(c.comments, p) })
	}
	c.part = &syntax.Part{Workspace: ws}
	return c, nil
}

// comments separates private comments: comments on secrets may contain earlier
// secret values. Private comments must not be printed.
func comments(p *project, name string, job *hclspec.Job) (public []hclspec.Comment, private map[hclspec.Path][]string) {
	src := p.loaded.Files[filepath.Clean(name)]
	file := &protocol.File{Job: job, Sources: p.loaded.Workspace.Sources}
	private = map[hclspec.Path][]string{}
	for _, c := range protocol.Comments(file, name, src) {
		if strings.HasPrefix(string(c.Path), string(job.Path.Attr("secret"))+"[") {
			private[c.Path] = append(append(private[c.Path], c.Above...), c.Beside)
			continue
		}
		for _, lines := range [][]string{c.Above, c.Below} {
			for i, line := range lines {
				lines[i] = p.mask(line)
			}
		}
		c.Beside = p.mask(c.Beside)
		public = append(public, c)
	}
	return public, private
}

// hasComment reports whether a prerequisite's callback has a comment that the
// conversion would lose.
func hasComment(comments []hclspec.Comment, p *hclspec.Prerequisite) bool {
	return slices.ContainsFunc(comments, func(c hclspec.Comment) bool {
		return slices.ContainsFunc(p.Callbacks, func(callback *hclspec.Callback) bool {
			return strings.HasPrefix(string(c.Path), string(callback.Path))
		})
	})
}

// claims returns declarations for the undeclared storages that the jobs mount. In
// YAML, the name of an undeclared storage refers to a claim in the cluster. HCL
// requires a declaration.
func claims(ws *hclspec.Workspace) []*hclspec.Storage {
	names := map[string]bool{}
	jobs, _ := resolve.All(resolve.Input{Workspace: ws, User: currentUser()}) // the command that runs the job reports the diagnostics
	for _, job := range jobs {
		for _, role := range job.TaskRoles {
			for _, m := range role.Mounts {
				if m.Declared == nil {
					names[m.Storage] = true
				}
			}
		}
	}
	var all []*hclspec.Storage
	for _, name := range slices.Sorted(maps.Keys(names)) {
		all = append(all, &hclspec.Storage{Name: name, Claim: name, Size: storageDefault("size"), OnDestroy: storageDefault("on_destroy")})
	}
	return all
}

// nameStorages replaces the names of declared storages with references.
func nameStorages(ws *hclspec.Workspace) {
	job := ws.Jobs[0]
	job.Storage = storageReferences(ws, job.Storage)
	for _, p := range ws.Prerequisites {
		p.RequireStorages = storageReferences(ws, p.RequireStorages)
	}
}

func storageReferences(ws *hclspec.Workspace, uses []*hclspec.StorageUse) []*hclspec.StorageUse {
	var all []*hclspec.StorageUse
	for _, use := range uses {
		reference := *use
		if s := ws.Storage(use.Name); s != nil {
			reference.Name = s.Address().String()
		}
		all = append(all, &reference)
	}
	return all
}

// storageDefault returns the default value of a string field in the storage
// block.
func storageDefault(field string) string {
	text, _ := hclspec.StorageBlock.Field(field).Default.(string)
	return text
}

// secretVariables assigns each secret a distinct environment variable. If
// several secrets map to the same variable name, all but the first get a
// numeric suffix.
func secretVariables(job *hclspec.Job) func(secret string) string {
	prefix := environmentName(job.Label) + "_"
	variables, used := map[string]string{}, map[string]bool{}
	for _, s := range job.Secrets {
		wanted := prefix + environmentName(s.Name)
		name := wanted
		for n := 2; used[name]; n++ {
			name = fmt.Sprintf("%s_%d", wanted, n)
		}
		variables[s.Name], used[name] = name, true
	}
	return func(secret string) string { return variables[secret] }
}

// environmentFile returns secret values as shell assignments, together with the
// comments on the secrets.
func environmentFile(secrets []*hclspec.Secret, variable func(string) string, comments map[hclspec.Path][]string) []byte {
	var b bytes.Buffer
	for _, s := range secrets {
		for _, line := range comments[s.Path] {
			if line != "" {
				fmt.Fprintln(&b, line)
			}
		}
		if s.Value != nil {
			fmt.Fprintf(&b, "%s=%s\n", variable(s.Name), shellquote.Quote(s.Value.Reveal()))
		}
	}
	return b.Bytes()
}

func environmentName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		}
		return '_'
	}, name)
}

const ignoredSecrets = "*.secrets.env"

// ignoreSecrets adds the pattern of secrets files to .gitignore.
func ignoreSecrets(dir string) error {
	name := filepath.Join(dir, ".gitignore")
	content, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for line := range strings.Lines(string(content)) {
		if strings.TrimSpace(line) == ignoredSecrets {
			return nil
		}
	}
	if len(content) > 0 && !bytes.HasSuffix(content, []byte("\n")) {
		content = append(content, '\n')
	}
	return atomicfile.Write(name, append(content, ignoredSecrets+"\n"...), 0o644)
}
