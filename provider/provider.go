// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// openpai implements provider.Provider.
type openpai struct {
	version string
	// lookup reads the environment.
	lookup func(string) (string, bool)
	// open is the function that opens clusters; nil selects the default
	// function.
	open operation.Opener
	// renderer renders jobs; nil selects the default renderer.
	renderer planner.Renderer
	// conn is set once the provider is configured.
	conn *connection
	// deferred is true if all plans are deferred; see Configure.
	deferred bool
}

// serves reports whether the provider itself serves requests for jobs.
// Otherwise, the plugin framework serves them, because it supports deferral.
func (p *openpai) serves() bool { return p.conn != nil && !p.deferred }

var (
	_ provider.Provider                   = (*openpai)(nil)
	_ provider.ProviderWithValidateConfig = (*openpai)(nil)
	_ provider.ProviderWithFunctions      = (*openpai)(nil)
	_ provider.ProviderWithListResources  = (*openpai)(nil)
	_ provider.ProviderWithActions        = (*openpai)(nil)
)

// New returns a provider that reads the environment of this process.
func New(version string) provider.Provider { return newProvider(version) }

func newProvider(version string) *openpai {
	return &openpai{version: version, lookup: os.LookupEnv}
}

// Metadata implements provider.Provider.
func (p *openpai) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName, resp.Version = "openpai", p.version
}

// Resources implements provider.Provider.
func (p *openpai) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{newJobResource, newPrerequisiteResource, newStorageResource, newItemResource}
}

// DataSources implements provider.Provider.
func (p *openpai) DataSources(context.Context) []func() datasource.DataSource { return dataSources() }

// Functions implements provider.ProviderWithFunctions.
func (p *openpai) Functions(context.Context) []func() function.Function { return functions() }

// ListResources implements provider.ProviderWithListResources.
func (p *openpai) ListResources(context.Context) []func() list.ListResource {
	return []func() list.ListResource{
		func() list.ListResource { return &jobList{} },
		func() list.ListResource { return &definitionList{prerequisiteDefinition()} },
		func() list.ListResource { return &definitionList{storageDefinition()} },
		func() list.ListResource { return &itemList{} },
	}
}

// Actions implements provider.ProviderWithActions.
func (p *openpai) Actions(context.Context) []func() action.Action { return actions() }
