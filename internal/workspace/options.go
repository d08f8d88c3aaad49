// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Options selects the workspace to load and sets its values.
type Options struct {
	// Path is a directory, a file (which is a separate workspace), or a
	// reference to a whole job in a marketplace. Default: the current
	// directory.
	Path string
	// Vars are values for variables and parameters of protocol YAML jobs, as
	// "name=value". Later values take precedence.
	Vars []string
	// Recorded are recorded inputs. Recorded inputs override all other values,
	// including values in files.
	Recorded hclspec.Inputs
	// VarFiles are additional variables files. Load reads them after the variables
	// files in the directory. Relative paths are relative to the current directory.
	VarFiles []string
	// Environ is the environment in the format of os.Environ. PAI_VAR_<name>
	// contains the value of a variable. Secrets are also read from Environ.
	Environ []string
	// Marketplaces are additional sources of items, as "name=source". Relative
	// paths are relative to the current directory. The variable
	// OPENPAI_MARKETPLACE in Environ contains additional sources, separated by
	// commas.
	Marketplaces []string
	// Storages are additional storages in local directories, as "name=directory".
	// Relative paths are relative to the current directory. The variable
	// OPENPAI_STORAGE in Environ contains additional storages, separated by
	// commas.
	Storages []string
	// Policies lists the directories that contain policies; see
	// [PolicyDirectories].
	Policies []string
	// Name replaces the name of the job in a protocol YAML file or a marketplace.
	// The name is also part of the workspace name, so jobs with different names are
	// in different workspaces. HCL workspaces ignore Name.
	Name string
	// Deployment and VirtualCluster replace the values of the selected jobs.
	// Jobs contains the addresses of these jobs. If Jobs is empty, all jobs
	// are selected.
	Deployment, VirtualCluster string
	Jobs                       []hclspec.Address
	// Except lists the files to skip, relative to the directory.
	Except []string
	// Version is the program's release, which Load compares with required_version.
	// "" skips the comparison.
	Version string
}

// Loaded is a loaded workspace. If there are errors, it contains the parts that
// could be read. Commands that need only the workspace name can then continue.
type Loaded struct {
	Workspace *hclspec.Workspace
	// Files contains the contents of the source files. The keys are the file
	// names in diagnostics.
	Files map[string][]byte
	// Read contains the files that HCL functions such as file() have read. It
	// maps each file name, spelled as in Files, to the file's SHA-256 hash.
	// The hash is "" if only fileexists() has accessed the file.
	Read map[string]string
	// Policies contains the policies from the directories in
	// [Options.Policies].
	Policies *Policies
	// Dir is the absolute path of the workspace directory, which contains the state
	// of the local cluster.
	Dir string
	// Named reports whether the configuration sets the name of the workspace.
	// Otherwise, the name is derived from the directory.
	Named bool
	// Empty reports whether the directory contains neither HCL files nor protocol
	// YAML files.
	Empty bool

	// Parameters are the parameters of protocol YAML jobs with values from options
	// or the environment.
	Parameters []string

	environ []string
	// path, marketplaces, vars and varFiles are copies of the options. Hints use
	// them.
	path         string
	marketplaces []string
	vars         []string
	varFiles     []string
	// sensitive lists the sensitive variables of the directory. It includes
	// variables that an item's variables override.
	sensitive []string
	// neighbors contains the declarations in the HCL files next to a job file. It is
	// nil for other workspaces.
	neighbors *hclspec.Workspace
	// embedded lists the marketplaces in job files.
	embedded []*hclspec.Marketplace
	// modules fetches modules during init. It is nil for other commands.
	modules *moduleInit
	// Item is the marketplace item that provides the only job of the workspace, or
	// nil. item is the reference to the item, or "".
	Item *resolve.UsedItem
	item string
}

// assignments returns "name=value" settings: first the settings in a
// comma-separated environment variable, then the options. An option overrides a
// setting of the same name in the environment.
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

// nameAndValue returns false if the name or the value is missing.
func nameAndValue(input string) (name, value string, ok bool) {
	name, value, _ = strings.Cut(input, "=")
	return name, value, name != "" && value != ""
}
