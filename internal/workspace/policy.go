// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
)

// PolicyVariable is the environment variable that lists policy directories,
// separated by commas.
const PolicyVariable = "OPENPAI_POLICY"

// maxPolicyFiles is the maximum number of files in one policy directory.
const maxPolicyFiles = 1000

// PolicyDirectories returns, without duplicates, the policy directories that the
// environment and the arguments specify.
func PolicyDirectories(environ, arguments []string) []string {
	var all []string
	for _, e := range environ {
		if list, ok := strings.CutPrefix(e, PolicyVariable+"="); ok {
			all = nil // the last entry applies, as for exec.Cmd.Env
			for _, dir := range strings.Split(list, ",") {
				if dir = strings.TrimSpace(dir); dir != "" {
					all = append(all, dir)
				}
			}
		}
	}
	for _, dir := range arguments {
		if !slices.Contains(all, dir) {
			all = append(all, dir)
		}
	}
	return all
}

// Policies contains the policies from directories outside the workspace. A
// workspace cannot change these policies.
type Policies struct {
	All []*hclspec.Policy
	// Files contains the contents of the source files. The keys are the file
	// names in diagnostics.
	Files map[string][]byte
}

// LoadPolicies reads policy directories. Each directory has its own variables,
// whose values come from the files in the directory. An unreadable directory or a
// directory without policies is an error: otherwise, a mistyped name would permit
// everything.
func LoadPolicies(dirs []string) (*Policies, hcl.Diagnostics) {
	p := &Policies{Files: map[string][]byte{}}
	var diags hcl.Diagnostics
	for _, dir := range dirs {
		diags = append(diags, p.load(dir)...)
	}
	return p, hclspec.Sort(diags)
}

func (p *Policies) load(dir string) hcl.Diagnostics {
	found, err := list(dir)
	switch {
	case err != nil:
		return hcl.Diagnostics{PolicyDirectory.At(hcl.Range{}, "The policy directory %s cannot be read: %s.", dir, cause(err))}
	case len(found.hcl)+len(found.variables) > maxPolicyFiles:
		return hcl.Diagnostics{PolicyDirectory.At(hcl.Range{}, "The policy directory %s has more than %d files.", dir, maxPolicyFiles)}
	}
	l := &loader{loaded: &Loaded{Files: map[string][]byte{}}}
	in := syntax.Input{Files: map[string][]byte{}, Dir: dir, PoliciesOnly: true}
	for _, name := range found.hcl {
		in.Files[name], _ = l.read(name, hcl.Range{})
	}
	in.Values = l.values(found.variables)
	maps.Copy(p.Files, l.loaded.Files)
	if l.diags.HasErrors() {
		return l.diags
	}
	ws, diags := syntax.Decode(in)
	if len(ws.Policies) == 0 && !diags.HasErrors() {
		diags = append(diags, PolicyDirectory.At(hcl.Range{}, "The directory %s does not contain any policies. Add policy blocks to its *.pai.hcl files.", dir))
	}
	for _, policy := range ws.Policies {
		policy.Directory = dir
	}
	p.All = append(p.All, ws.Policies...)
	return diags
}
