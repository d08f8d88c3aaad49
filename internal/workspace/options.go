// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Options controls what to load and with which values.
type Options struct {
	// Path is a directory, a file that is a separate workspace, or the reference
	// of a whole job in a marketplace. Default: the current directory.
	Path string
	// Vars are values of variables, and of parameters of jobs in protocol YAML,
	// as "name=value"; later ones take precedence.
	Vars []string
	// VarFiles are additional files of values, read after those in the directory.
	// Relative paths are relative to the current directory.
	VarFiles []string
	// Environ is the environment as returned by os.Environ. PAI_VAR_<name>
	// contains the value of a variable; secrets are read from it too.
	Environ []string
	// Marketplaces are additional sources of items, as "name=source". Relative
	// paths are relative to the current directory. The variable
	// OPENPAI_MARKETPLACE in Environ contains more of them, separated by commas.
	Marketplaces []string
	// Storages are additional storages in local directories, as "name=directory".
	// Relative paths are relative to the current directory. The variable
	// OPENPAI_STORAGE in Environ contains more of them, separated by commas.
	Storages []string
	// Policies are directories of policies; see [PolicyDirectories].
	Policies []string
	// Name replaces the name of the job in a protocol YAML file or a marketplace.
	// It is part of the workspace name, so that jobs with other names are not
	// affected. Workspaces of HCL files ignore it.
	Name string
	// Deployment and VirtualCluster replace those of the jobs that Jobs selects,
	// or of all jobs.
	Deployment, VirtualCluster string
	Jobs                       []hclspec.Address
	// Except are files to skip, relative to the directory.
	Except []string
	// Version is the release of the program to compare with required_version; ""
	// skips the comparison.
	Version string
}

// Loaded is a loaded workspace. After errors it contains everything that could be
// read, so that commands that need only the name can continue.
type Loaded struct {
	Workspace *hclspec.Workspace
	// Files are the source files by the name that diagnostics show.
	Files map[string][]byte
	// Policies are the policies in the directories of the options.
	Policies *Policies
	// Dir is the absolute directory of the workspace; it contains the state of
	// the local cluster.
	Dir string
	// Named reports whether the configuration sets the name of the workspace;
	// otherwise the name is derived from the directory.
	Named bool

	// Parameters are the parameters of jobs in protocol YAML that got a value
	// from the options or the environment.
	Parameters []string

	environ []string
	// path, marketplaces, vars and varFiles are copied from the options, for advice.
	path         string
	marketplaces []string
	vars         []string
	varFiles     []string
	// sensitive are variables of the directory that an item may replace.
	sensitive []string
	// neighbors contains the declarations of the HCL files in the directory of a
	// job file; nil for other workspaces.
	neighbors *hclspec.Workspace
	// embedded are the marketplaces in job files.
	embedded []*hclspec.Marketplace
	// modules fetches modules during init; nil for other commands.
	modules *moduleInit
	// item is the reference of the only job of the workspace, or "".
	item string
}

// assignments lists the "name=value" settings of an environment variable,
// separated by commas, and of options. Those of the environment come first; an
// option overrides one of the same name.
func (l *loader) assignments(variable string, options []string) []string {
	var all []string
	environment, _ := l.loaded.lookup(variable)
	for _, one := range strings.Split(environment, ",") {
		one = strings.TrimSpace(one)
		name, _, _ := strings.Cut(one, "=")
		if one != "" && !slices.ContainsFunc(options, func(o string) bool { return strings.HasPrefix(o, name+"=") }) {
			all = append(all, one)
		}
	}
	return append(all, options...)
}

// nameAndValue splits "name=value"; ok is false if either is missing.
func nameAndValue(input string) (name, value string, ok bool) {
	name, value, _ = strings.Cut(input, "=")
	return name, value, name != "" && value != ""
}
