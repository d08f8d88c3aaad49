// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/planner/render"
)

// functionSettings returns placeholders, because functions have no provider block.
func functionSettings() *settings { return &settings{User: "user", Workspace: localWorkspace} }

var exportProtocol = &providerFunction{
	name: "export_protocol",
	definition: function.Definition{
		Summary:             "A job as OpenPAI protocol YAML",
		MarkdownDescription: "Returns a job as OpenPAI protocol YAML (version 2) for the web portal and the REST server. The YAML contains the prerequisites that the job uses, and asterisks instead of secret values.",
		Parameters:          []function.Parameter{jobParameter},
		Return:              function.StringReturn{},
	},
	run: func(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
		var job types.Dynamic
		if resp.Error = req.Arguments.Get(ctx, &job); resp.Error != nil {
			return
		}
		d, funcErr := jobArgument(ctx, functionSettings(), job)
		if resp.Error = funcErr; funcErr != nil {
			return
		}
		text, found := protocol.Write(d.resolved.AddEnabled(), protocol.WriteOptions{Workspace: d.workspace})
		if resp.Error = diagnosticsError(found); resp.Error == nil {
			resp.Error = resp.Result.Set(ctx, string(text))
		}
	},
}

var renderFramework = &providerFunction{
	name: "render_framework",
	definition: function.Definition{
		Summary:             "The Kubernetes objects of a job",
		MarkdownDescription: "Returns the objects that apply would send for a job, as YAML that `kubectl apply` reads. The objects are the Framework with `executionType: Start`, its ConfigMaps, and stubs for its Secrets. The stubs contain no values.",
		Parameters: []function.Parameter{
			jobParameter,
			function.ObjectParameter{
				Name: "cluster", MarkdownDescription: "The cluster: `{ user, workspace, namespace, profile, runtime_image }`, as in the `kubernetes` block of the provider.",
				AttributeTypes: map[string]attr.Type{
					"user": types.StringType, "workspace": types.StringType, "namespace": types.StringType,
					"profile": types.StringType, "runtime_image": types.StringType,
				},
			},
		},
		Return: function.StringReturn{},
	},
	run: func(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
		var job types.Dynamic
		var c struct {
			User         string  `tfsdk:"user"`
			Workspace    string  `tfsdk:"workspace"`
			Namespace    *string `tfsdk:"namespace"`
			Profile      *string `tfsdk:"profile"`
			RuntimeImage *string `tfsdk:"runtime_image"`
		}
		if resp.Error = req.Arguments.Get(ctx, &job, &c); resp.Error != nil {
			return
		}
		s := &settings{User: c.User, Workspace: c.Workspace, Cluster: &hclspec.Cluster{
			Name: kubernetesName, User: c.User, Namespace: stringOrEmpty(c.Namespace), Profile: stringOrEmpty(c.Profile),
			Runtime: hclspec.ClusterRuntime{Image: stringOrEmpty(c.RuntimeImage)},
		}}
		if resp.Error = checkProfile(c.Profile); resp.Error != nil {
			return
		}
		d, funcErr := jobArgument(ctx, s, job)
		if resp.Error = funcErr; funcErr != nil {
			return
		}
		m, found := render.Objects(d.resolved, render.ClusterTarget(d.workspace, kubernetesName))
		if resp.Error = diagnosticsError(found); resp.Error == nil {
			resp.Error = resp.Result.Set(ctx, string(m.YAML()))
		}
	},
}

// checkProfile checks the profile. The other attributes of the argument
// "cluster" accept any string.
func checkProfile(profile *string) *function.FuncError {
	at := hclspec.Path("cluster.profile")
	for _, d := range hclspec.CheckField(hclspec.ClusterBlock.Field("profile"), profile, at, hclspec.SourceMap{at: hcl.Range{Filename: string(at)}}) {
		return function.NewArgumentFuncError(1, diagnosticText(d))
	}
	return nil
}

func stringOrEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

var frameworkName = &providerFunction{
	name: "framework_name",
	definition: function.Definition{
		Summary:             "The name of a job's Framework",
		MarkdownDescription: "Returns the `metadata.name` of the Framework for a user's job: the MD5 hash of `<user>~<job>`.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "user", MarkdownDescription: "User who owns the job."},
			function.StringParameter{Name: "job", MarkdownDescription: "Name of the job."},
		},
		Return: function.StringReturn{},
	},
	run: func(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
		var user, job string
		if resp.Error = req.Arguments.Get(ctx, &user, &job); resp.Error == nil {
			resp.Error = resp.Result.Set(ctx, contract.FrameworkName(user, job))
		}
	},
}

var resolvePrerequisites = &providerFunction{
	name: "resolve_prerequisites",
	definition: function.Definition{
		Summary:             "The prerequisites that a job runs",
		MarkdownDescription: "Returns the addresses of the prerequisites that each task role of a job runs, in start order. The lists include required prerequisites.",
		Parameters:          []function.Parameter{jobParameter},
		Return:              function.MapReturn{ElementType: types.ListType{ElemType: types.StringType}},
	},
	run: func(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
		var job types.Dynamic
		if resp.Error = req.Arguments.Get(ctx, &job); resp.Error != nil {
			return
		}
		d, funcErr := jobArgument(ctx, functionSettings(), job)
		if resp.Error = funcErr; funcErr != nil {
			return
		}
		roles := map[string][]string{}
		for _, role := range d.resolved.TaskRoles {
			roles[role.Name] = []string{}
			for _, step := range role.Steps {
				roles[role.Name] = append(roles[role.Name], step.Address)
			}
		}
		resp.Error = resp.Result.Set(ctx, roles)
	},
}
