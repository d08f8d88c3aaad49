// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"fmt"
	"maps"
	"os"
	"os/user"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/shellquote"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// workspaceFlags are the flags that choose a workspace and set its variables.
type workspaceFlags struct {
	path     string
	vars     []string
	varFiles []string
	// marketplaces are sources of items in addition to the declared marketplaces.
	marketplaces []string
	// storages assign local directories to the storages of plain YAML jobs,
	// as NAME=DIRECTORY.
	storages []string
	// policies are policy directories. judges is true if the command checks policies.
	// It then also uses the directories in OPENPAI_POLICY.
	policies []string
	judges   bool
	// name replaces the job name in a single file or a marketplace item.
	name string
	// deployment and virtualCluster override the values of the jobs that plan
	// selects. plan is set only in commands that submit jobs.
	deployment, virtualCluster string
	plan                       *planFlags
	// environ replaces the environment; nil means the environment of the process.
	environ []string
	// detail is true if the command prints every job and every diagnostic
	// separately.
	detail bool
	// loose is true in commands that do not run jobs; see [resolve.Input].
	loose bool

	// addresses, role and index point to variables that receive values from the
	// arguments. nil means that the command does not accept such arguments.
	addresses *[]string
	role      *string
	index     *int

	remote remoteFlags
	// invocation is the command to which the flags belong.
	invocation invocation
}

func (f *workspaceFlags) register(cmd *cobra.Command) {
	f.registerValues(cmd)
	cmd.Flags().StringVar(&f.name, "name", "", "`NAME` for the job in a protocol YAML file or a marketplace item; overrides the name in the file; existing jobs with other names are kept")
}

// registerValues adds the flags for values and marketplaces, which commands
// without jobs also need.
func (f *workspaceFlags) registerValues(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.vars, "var", nil, "value of a variable, or of a parameter of a YAML job, as `NAME=VALUE`; repeatable")
	cmd.Flags().StringArrayVar(&f.varFiles, "var-file", nil, "`FILE` with values of variables and parameters, read after the *.paivars.hcl files in the directory")
	f.registerMarketplaces(cmd)
}

// registerSubmission adds the flags of commands that submit jobs.
func (f *workspaceFlags) registerSubmission(cmd *cobra.Command, plan *planFlags) {
	f.plan = plan
	cmd.Flags().StringVar(&f.deployment, "deployment", "", "`NAME` of the active deployment; overrides default_deployment of the selected jobs")
	cmd.Flags().StringVar(&f.virtualCluster, "virtual-cluster", "", "`NAME` of the virtual cluster; overrides the setting of the selected jobs")
}

// checkSubmission rejects flags without effect.
func (f *workspaceFlags) checkSubmission() error {
	if f.name != "" && !marketplace.IsReference(f.path) && !workspace.IsJobFile(f.path) {
		return fmt.Errorf("invalid --name %[1]q: only the job in a protocol YAML file or a marketplace item can be renamed; in HCL, set name = %[1]q in the job block", f.name)
	}
	if f.plan == nil || f.deployment == "" && f.virtualCluster == "" {
		return nil
	}
	for _, input := range f.plan.chosen() {
		if a := address(input); !a.IsModule() && !strings.HasPrefix(string(a.Local()), "job") {
			return fmt.Errorf("--deployment and --virtual-cluster apply to jobs, but %s is not a job; select a job (job.NAME), or all jobs of a module (module.NAME)", input)
		}
	}
	return nil
}

// registerDetail adds --detail to commands that group jobs or diagnostics by cause.
func (f *workspaceFlags) registerDetail(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.detail, "detail", false, "show every job and diagnostic separately, and all lines of each command")
}

// registerStorages adds --storage to commands that use mounted storages.
func (f *workspaceFlags) registerStorages(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.storages, "storage", nil, "local directory for a storage of a plain YAML job, as `NAME=DIRECTORY`; repeatable; OPENPAI_STORAGE adds more storages, separated by commas")
}

// registerPolicies adds --policy to commands that print or apply a plan.
func (f *workspaceFlags) registerPolicies(cmd *cobra.Command) {
	f.judges = true
	cmd.Flags().StringArrayVar(&f.policies, "policy", nil, "`DIRECTORY` with additional policies for the plan; repeatable; OPENPAI_POLICY adds more directories, separated by commas")
}

// policyDirectories returns the policy directories if the command checks
// policies, otherwise nil.
func (f *workspaceFlags) policyDirectories() []string {
	if !f.judges {
		return nil
	}
	return workspace.PolicyDirectories(f.environment(), f.policies)
}

func (f *workspaceFlags) registerMarketplaces(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.marketplaces, "marketplace", nil, "additional marketplace, as `NAME=SOURCE`; repeatable; OPENPAI_MARKETPLACE adds more marketplaces, separated by commas")
}

// shownPath returns the path and --name for a recommended command. Each argument
// is preceded by a space and quoted if necessary. shownPath returns "" if
// neither is set.
func (f *workspaceFlags) shownPath() string {
	shown := ""
	if f.path != "" {
		shown = " " + shellquote.Word(f.path)
	}
	if f.name != "" {
		shown += " --name " + shellquote.Word(f.name)
	}
	return shown
}

// shownChoice returns the arguments that select the same workspace, each
// preceded by a space.
func (f *workspaceFlags) shownChoice() string {
	shown := f.shownPath()
	for _, flag := range []struct{ name, value string }{
		{"workspace", f.remote.workspace}, {"kubeconfig", f.remote.kubeconfig}, {"context", f.remote.context}, {"namespace", f.remote.namespace},
	} {
		if flag.value != "" {
			shown += " --" + flag.name + " " + shellquote.Word(flag.value)
		}
	}
	return shown
}

func (f *workspaceFlags) load() (*workspace.Loaded, hcl.Diagnostics) {
	return workspace.Load(f.loadOptions())
}

func (f *workspaceFlags) loadOptions() workspace.Options {
	o := workspace.Options{
		Path: f.path, Vars: f.vars, VarFiles: f.varFiles, Name: f.name, Deployment: f.deployment, VirtualCluster: f.virtualCluster,
		Marketplaces: f.marketplaces, Storages: f.storages, Environ: f.environment(), Version: release,
		Policies: f.policyDirectories(),
	}
	if f.plan != nil {
		o.Jobs = addresses(f.plan.chosen())
	}
	return o
}

func (f *workspaceFlags) environment() []string {
	if f.environ != nil {
		return f.environ
	}
	return os.Environ()
}

// project is a loaded workspace with its resolved jobs.
type project struct {
	loaded    *workspace.Loaded
	jobs      []*resolve.Job
	warnings  hcl.Diagnostics
	detail    bool   // print diagnostics separately
	path      string // for advice; see view.TextOptions
	operation *operation.Operation
	earlier   operation.Earlier
}

// resolve resolves the jobs of a workspace. After errors, it returns all diagnostics
// and no jobs.
func (f *workspaceFlags) resolve() (*workspace.Loaded, []*resolve.Job, hcl.Diagnostics) {
	return f.resolveWith(f.loadOptions())
}

func (f *workspaceFlags) resolveWith(o workspace.Options) (*workspace.Loaded, []*resolve.Job, hcl.Diagnostics) {
	loaded, diags := workspace.Load(o)
	if loaded.Dir == "" {
		return loaded, nil, diags
	}
	items, locked := loaded.Items()
	diags = append(diags, locked...)
	jobs, more := resolve.All(resolve.Input{Workspace: loaded.Workspace, User: currentUser(), Items: items, Item: loaded.Item, Loose: f.loose})
	loaded.Pin(jobs)
	if diags.HasErrors() {
		jobs, more = nil, resolve.Independent(more, diags)
	}
	return loaded, jobs, hclspec.Sort(append(diags, more...))
}

// open reads a workspace for planning. If a diagnostic is an error, err contains all
// diagnostics, and the project has no operation.
func (f *workspaceFlags) open() (*project, error) {
	loaded, jobs, diags := f.resolve()
	diags = resolve.WithoutPermissions(diags) // the plan reports them
	p := &project{loaded: loaded, jobs: jobs, warnings: diags, detail: f.detail, path: f.shownPath()}
	if diags.HasErrors() {
		return p, p.diagnosticsError(diags)
	}
	p.operation, p.earlier = newOperation(loaded, f.invocation), f.earlier
	return p, nil
}

// earlier implements [operation.Earlier].
func (f *workspaceFlags) earlier(inputs hclspec.Inputs) ([]*resolve.Job, bool) {
	o := f.loadOptions()
	o.Recorded = inputs
	_, jobs, diags := f.resolveWith(o)
	return jobs, !diags.HasErrors()
}

func (p *project) diagnosticsError(diags hcl.Diagnostics) error { return p.found(diags) }

// found returns diags as an error with the source files of the project.
func (p *project) found(diags hcl.Diagnostics) *diagnosticsError {
	files := maps.Clone(p.loaded.Files)
	maps.Copy(files, p.loaded.Policies.Files)
	return &diagnosticsError{diags: diags, files: files, mask: p.mask, detail: p.detail}
}

func (p *project) workspace() string { return p.loaded.Workspace.Name }

func currentUser() string { return workspace.CurrentUser(user.Current, os.Getuid()) }
