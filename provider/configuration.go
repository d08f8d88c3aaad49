package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// configuration is a provider block.
type configuration struct {
	Local      *localBlock      `tfsdk:"local"`
	Kubernetes *kubernetesBlock `tfsdk:"kubernetes"`
}

type localBlock struct {
	Directory types.String `tfsdk:"directory"`
	User      types.String `tfsdk:"user"`
	Workspace types.String `tfsdk:"workspace"`
}

type kubernetesBlock struct {
	Kubeconfig     types.String `tfsdk:"kubeconfig"`
	Context        types.String `tfsdk:"context"`
	Namespace      types.String `tfsdk:"namespace"`
	Profile        types.String `tfsdk:"profile"`
	User           types.String `tfsdk:"user"`
	Workspace      types.String `tfsdk:"workspace"`
	RuntimeImage   types.String `tfsdk:"runtime_image"`
	PullPolicy     types.String `tfsdk:"runtime_pull_policy"`
	ServiceAccount types.String `tfsdk:"service_account"`
	LogStorage     types.String `tfsdk:"log_storage"`
	PodSecurity    types.String `tfsdk:"pod_security"`
}

// Environment variables that stand in for attributes that are not written.
const (
	envDirectory    = "OPENPAI_DIRECTORY"
	envUser         = "OPENPAI_USER"
	envWorkspace    = "OPENPAI_WORKSPACE"
	envKubeconfig   = "OPENPAI_KUBECONFIG"
	envContext      = "OPENPAI_CONTEXT"
	envNamespace    = "OPENPAI_NAMESPACE"
	envRuntimeImage = "OPENPAI_RUNTIME_IMAGE"
)

// Schema implements provider.Provider.
func (p *openpai) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Declares OpenPAI jobs, prerequisites and storages. Plans are made without a cluster; jobs run on a Kubernetes cluster with FrameworkController, or, without any configuration, on the embedded local cluster of this machine.",
		Blocks: map[string]schema.Block{
			"local": schema.SingleNestedBlock{
				MarkdownDescription: "The embedded local cluster: jobs run as processes of this machine. This is the default.",
				Attributes: map[string]schema.Attribute{
					"directory": text("Directory that holds the cluster's state in `.openpai`, and that relative paths of jobs start from. Default: the current directory.", envDirectory),
					"user":      text("User that the jobs belong to. Default: the user of the operating system.", envUser),
					"workspace": text("Name of the set of jobs that are managed together. Default: `"+localWorkspace+"`.", envWorkspace),
				},
			},
			"kubernetes": schema.SingleNestedBlock{
				MarkdownDescription: "A Kubernetes cluster with FrameworkController. The attributes may come from resources that do not exist yet: the cluster is asked when a job is created, read or changed.",
				Attributes: map[string]schema.Attribute{
					"kubeconfig":          text("Kubeconfig file. Default: kubectl's rules.", envKubeconfig),
					"context":             text("Context in the kubeconfig file. Default: its current one.", envContext),
					"namespace":           text("Namespace of the jobs. Default: that of the context.", envNamespace),
					"profile":             enumeration(hclspec.ClusterBlock.Field("profile")),
					"user":                text("User that the jobs belong to. Needed: everybody who applies must agree on it.", envUser),
					"workspace":           text("Name of the set of jobs that are managed together. Needed.", envWorkspace),
					"runtime_image":       text("Image with openpai-runtime. Default: that of this release.", envRuntimeImage),
					"runtime_pull_policy": enumeration(hclspec.ClusterBlock.Field("runtime").Block.Field("pull_policy")),
					"service_account":     text(hclspec.ClusterBlock.Field("service_account").Doc, ""),
					"log_storage":         text("Existing claim that keeps the logs of finished tasks.", ""),
					"pod_security":        enumeration(hclspec.ClusterBlock.Field("pod_security")),
				},
			},
		},
	}
}

func text(doc, env string) schema.StringAttribute {
	if env != "" {
		doc += " Environment: `" + env + "`."
	}
	return schema.StringAttribute{Optional: true, MarkdownDescription: doc}
}

func enumeration(f *hclspec.Field) schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, MarkdownDescription: f.Doc,
		Validators: []validator.String{stringvalidator.OneOf(f.Values...)},
	}
}

// Configure implements provider.Provider. It opens nothing.
func (p *openpai) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var c configuration
	resp.Diagnostics.Append(req.Config.Get(ctx, &c)...)
	if resp.Diagnostics.HasError() {
		return
	}
	s := p.settings(&c, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	conn := newConnection(s, p.open)
	p.conn = conn
	resp.ResourceData, resp.DataSourceData, resp.ListResourceData, resp.ActionData = conn, conn, conn, conn
}

// settings merges a provider block with the environment.
func (p *openpai) settings(c *configuration, diags *diag.Diagnostics) *settings {
	s := &settings{}
	take := func(v types.String, env, fallback string) string {
		switch {
		case v.IsUnknown():
			s.Unknown = true
			return fallback
		case !v.IsNull():
			return v.ValueString()
		}
		if given, ok := p.lookup(env); env != "" && ok && given != "" {
			return given
		}
		return fallback
	}
	if c.Kubernetes == nil {
		l := c.Local
		if l == nil {
			l = &localBlock{}
		}
		s.Directory = take(l.Directory, envDirectory, ".")
		s.User = take(l.User, envUser, currentUser())
		s.Workspace = take(l.Workspace, envWorkspace, localWorkspace)
		return s
	}
	k := c.Kubernetes
	if c.Local != nil {
		diags.AddAttributeError(path.Root("local"), "Two clusters", "A provider block has either local or kubernetes. For jobs on both, write a second provider block with an alias.")
	}
	s.User, s.Workspace = take(k.User, envUser, ""), take(k.Workspace, envWorkspace, "")
	s.Cluster = &hclspec.Cluster{
		Name: kubernetesName, Kubeconfig: take(k.Kubeconfig, envKubeconfig, ""), Context: take(k.Context, envContext, ""),
		Namespace: take(k.Namespace, envNamespace, ""), Profile: take(k.Profile, "", "standard"), User: s.User,
		Runtime:        hclspec.ClusterRuntime{Image: take(k.RuntimeImage, envRuntimeImage, ""), PullPolicy: take(k.PullPolicy, "", "")},
		ServiceAccount: take(k.ServiceAccount, "", ""), LogStorage: take(k.LogStorage, "", ""), PodSecurity: take(k.PodSecurity, "", "baseline"),
	}
	for _, needed := range []struct {
		name, env string
		value     types.String
		got       string
	}{{"user", envUser, k.User, s.User}, {"workspace", envWorkspace, k.Workspace, s.Workspace}} {
		if needed.got == "" && !needed.value.IsUnknown() {
			diags.AddAttributeError(path.Root("kubernetes").AtName(needed.name), "Missing "+needed.name,
				"On Kubernetes the "+needed.name+" must be written, so that everybody who applies this configuration means the same jobs. Set kubernetes."+needed.name+" or the environment variable "+needed.env+".")
		}
	}
	return s
}
