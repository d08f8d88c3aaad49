// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Environment variables used for attributes that are not set.
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
		MarkdownDescription: "Declares OpenPAI jobs, prerequisites and storages. Planning does not require a cluster. Jobs run on a Kubernetes cluster with FrameworkController. Without any configuration, jobs run on the embedded local cluster of this machine.",
		Attributes: map[string]schema.Attribute{
			"policies": schema.StringAttribute{Optional: true, MarkdownDescription: policiesDoc},
		},
		Blocks: map[string]schema.Block{
			"local": schema.SingleNestedBlock{
				MarkdownDescription: "The embedded local cluster: jobs run as processes on this machine. This is the default.",
				Attributes: map[string]schema.Attribute{
					"directory": stringAttribute("Directory that contains the cluster state in the subdirectory `.openpai`. Relative paths in jobs are relative to this directory. Default: the current directory.", envDirectory),
					"user":      stringAttribute("User who owns the jobs. Defaults to the user of the operating system.", envUser),
					"workspace": stringAttribute("Name of the set of jobs that openpai manages together. Default: `"+localWorkspace+"`.", envWorkspace),
				},
			},
			"kubernetes": schema.SingleNestedBlock{
				MarkdownDescription: "A Kubernetes cluster with FrameworkController. Configure access with a kubeconfig, or with `host` and one credential. Values may be ephemeral and may come from resources that do not exist yet. While a value is unknown, the provider plans jobs from the state. For data sources that read the cluster, `depends_on` must then list the resource that creates the cluster.",
				Attributes:          clusterSchema(),
				Blocks:              map[string]schema.Block{"exec": execSchema()},
			},
		},
	}
}

func stringAttribute(doc, env string) schema.StringAttribute {
	if env != "" {
		doc += " Environment: `" + env + "`."
	}
	return schema.StringAttribute{Optional: true, MarkdownDescription: doc}
}

// ValidateConfig implements provider.ProviderWithValidateConfig.
func (p *openpai) ValidateConfig(_ context.Context, req provider.ValidateConfigRequest, resp *provider.ValidateConfigResponse) {
	block := attributesOf(req.Config.Raw)["kubernetes"]
	d := decodeCluster(block)
	report(&resp.Diagnostics, d.diagnostics(), d.Places, allSeverities)
	access(attributesOf(block)).check(&resp.Diagnostics)
}

// Configure implements provider.Provider. It does not open the cluster. If values
// are unknown, the provider defers all its resources and data sources. Deferral
// requires support in Terraform.
func (p *openpai) Configure(_ context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	s := p.settings(req.Config.Raw, &resp.Diagnostics)
	policies, known := p.policies(attributesOf(req.Config.Raw)["policies"], &resp.Diagnostics)
	s.Policies, s.Unknown, s.Version = policies, s.Unknown || !known, p.version
	if resp.Diagnostics.HasError() {
		return
	}
	conn := newConnection(s, p.open, p.renderer)
	p.conn = conn
	if p.deferred = s.Unknown && req.ClientCapabilities.DeferralAllowed; p.deferred {
		resp.Deferred = &provider.Deferred{Reason: provider.DeferredReasonProviderConfigUnknown}
	}
	resp.ResourceData, resp.DataSourceData, resp.ListResourceData, resp.ActionData = conn, conn, conn, conn
}

// settings returns the settings of a provider block, with defaults from the
// environment.
func (p *openpai) settings(v tftypes.Value, diags *diag.Diagnostics) *settings {
	blocks := attributesOf(v)
	local, cluster := blocks["local"], blocks["kubernetes"]
	if cluster.IsNull() {
		return p.localSettings(attributesOf(local), diags)
	}
	if !local.IsNull() {
		diags.AddAttributeError(path.Root("local"), TwoClusters.Summary, TwoClusters.Advice)
	}
	return p.clusterSettings(cluster, diags)
}

func (p *openpai) localSettings(values map[string]tftypes.Value, diags *diag.Diagnostics) *settings {
	s := &settings{
		Directory: p.setting(values["directory"], envDirectory, "."),
		User:      p.setting(values["user"], envUser, currentUser()),
		Workspace: p.setting(values["workspace"], envWorkspace, localWorkspace),
	}
	for _, v := range values {
		s.Unknown = s.Unknown || !v.IsKnown()
	}
	if values["directory"].IsKnown() && !isDirectory(s.Directory) {
		diags.AddAttributeError(path.Root("local").AtName("directory"), DirectoryNotFound.Summary,
			fmt.Sprintf("The directory %q of the local cluster does not exist or is not a directory. Create the directory, or change local.directory or the environment variable %s.", s.Directory, envDirectory))
	}
	return s
}

// setting returns the first value that is set: the attribute, the environment
// variable or the fallback. For an unknown attribute, it returns the
// fallback.
func (p *openpai) setting(v tftypes.Value, env, fallback string) string {
	if v.Type() != nil && (!v.IsKnown() || !v.IsNull()) {
		return stringOr(v, fallback)
	}
	if value, ok := p.lookup(env); ok && value != "" {
		return value
	}
	return fallback
}
