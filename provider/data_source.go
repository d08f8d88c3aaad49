// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// dataSource implements a data source that computes outputs from its
// configuration.
type dataSource struct {
	name   string
	schema schema.Schema
	// read returns the outputs by name, as trees.
	read func(ctx context.Context, c *connection, config map[string]tftypes.Value, resp *datasource.ReadResponse) map[string]any
	conn *connection
}

var _ datasource.DataSourceWithConfigure = (*dataSource)(nil)

func dataSources() []func() datasource.DataSource {
	var all []func() datasource.DataSource
	for _, s := range []dataSource{jobSource, jobsSource, protocolSource, clusterSource, itemSource, itemsSource} {
		all = append(all, func() datasource.DataSource {
			fresh := s
			return &fresh
		})
	}
	return all
}

// Configure implements datasource.DataSourceWithConfigure.
func (s *dataSource) Configure(_ context.Context, req datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	s.conn, _ = req.ProviderData.(*connection)
}

// Metadata implements datasource.DataSource.
func (s *dataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + s.name
}

// Schema implements datasource.DataSource.
func (s *dataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = s.schema
}

// Read implements datasource.DataSource.
func (s *dataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	if s.conn == nil {
		resp.Diagnostics.AddError("The provider is not configured", "openpai_"+s.name+" was read before the provider was configured.")
		return
	}
	outputs := s.read(ctx, s.conn, attributesOf(req.Config.Raw), resp)
	if resp.Diagnostics.HasError() {
		return
	}
	set := map[string]tftypes.Value{}
	types := req.Config.Raw.Type().(tftypes.Object).AttributeTypes
	for name, tree := range outputs {
		v, err := shape.Value(tree, types[name])
		if err != nil {
			panic(fmt.Sprintf("provider: %s of openpai_%s: %v", name, s.name, err))
		}
		set[name] = v
	}
	resp.State.Raw = withAttributes(req.Config.Raw, set)
}

// sourceError adds advice if the cluster is unknown.
func sourceError(err error) error {
	if !errors.Is(err, errUnknown) {
		return err
	}
	return fmt.Errorf("%w; add the resource that creates the cluster to the data source's depends_on, or apply this resource first with -target", err)
}
