package workspace

import (
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Options say what to load and with which values.
type Options struct {
	// Path is a directory, or one file that is its own workspace, or the
	// reference of a whole job in a marketplace. Empty is the current directory.
	Path string
	// Vars are values of variables, and of parameters of jobs in protocol YAML,
	// "name=value"; later ones win.
	Vars []string
	// VarFiles are further files of values, read after those of the
	// directory. They start at the current directory.
	VarFiles []string
	// Environ is the environment as os.Environ gives it. PAI_VAR_<name> holds
	// values of variables; secrets are read from it.
	Environ []string
	// Marketplaces are further sources of items, "name=source". Relative paths
	// start at the current directory. The variable OPENPAI_MARKETPLACE of
	// Environ holds more of them, separated by commas.
	Marketplaces []string
	// Storages are further storages that are directories of this machine,
	// "name=directory". Relative paths start at the current directory. The
	// variable OPENPAI_STORAGE of Environ holds more of them, separated by
	// commas.
	Storages []string
	// Policies are directories of policies, see [PolicyDirectories].
	Policies []string
	// Name replaces the name of the job of a protocol YAML file or of a
	// marketplace. It is part of the workspace's name, so that jobs of other
	// names stay. Workspaces of HCL files ignore it.
	Name string
	// Deployment and VirtualCluster replace those of the jobs that Jobs chooses,
	// or of all.
	Deployment, VirtualCluster string
	Jobs                       []hclspec.Address
	// Except are files of the directory that are not read, without the
	// directory.
	Except []string
	// Version is the release of the program that required_version is compared
	// with; empty skips the comparison.
	Version string
}

// Loaded is a workspace that was read. With errors it holds as much as could
// be read, so that commands which need only the name can continue.
type Loaded struct {
	Workspace *hclspec.Workspace
	// Files are the sources by the name that diagnostics show.
	Files map[string][]byte
	// Policies are those of the directories of the options.
	Policies *Policies
	// Dir is the absolute directory of the workspace; its state on the local
	// cluster is below it.
	Dir string
	// Named says that the configuration writes the name of the workspace; it
	// was made from the directory's otherwise.
	Named bool

	// Parameters are those of jobs in protocol YAML that got a value of the
	// options or the environment.
	Parameters []string

	environ []string
	// path and marketplaces are those of the options, for advice.
	path         string
	marketplaces []string
	// neighbors is what the HCL files beside a job file declare, nil for other
	// workspaces.
	neighbors *hclspec.Workspace
	// embedded are the marketplaces that job files hold.
	embedded []*hclspec.Marketplace
	// item is the reference of the job that the workspace consists of, or "".
	item string
}

// assignments lists what was given beside the configuration as "name=value", by a
// variable of the environment, where commas separate them, and by options.
// Those of the environment come first; an option of the same name hides one.
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

// nameAndValue takes "name=value" apart; ok is false when either is missing.
func nameAndValue(input string) (name, value string, ok bool) {
	name, value, _ = strings.Cut(input, "=")
	return name, value, name != "" && value != ""
}
