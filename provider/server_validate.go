// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// ValidateResourceConfig implements tfprotov6.ResourceServer. It skips jobs
// once the provider is configured: Terraform has already validated the block,
// and the plan repeats the checks.
func (s *server) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	if req.TypeName == jobType && s.provider.conn != nil {
		return &tfprotov6.ValidateResourceConfigResponse{}, nil
	}
	resp, err := s.frameworkServer.ValidateResourceConfig(ctx, req)
	if err != nil || len(resp.Diagnostics) == 0 {
		return resp, err
	}
	config, err := s.configuration(ctx, req)
	if err != nil {
		return nil, err
	}
	resp.Diagnostics = slices.DeleteFunc(resp.Diagnostics, func(d *tfprotov6.Diagnostic) bool { return isWithinUnknown(config, d.Attribute) })
	return resp, nil
}

func (s *server) configuration(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (tftypes.Value, error) {
	served, err := s.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return tftypes.Value{}, fmt.Errorf("read the schema of %s: %w", req.TypeName, err)
	}
	v, err := req.Config.Unmarshal(served.ResourceSchemas[req.TypeName].ValueType())
	if err != nil {
		return tftypes.Value{}, fmt.Errorf("decode the configuration of %s: %w", req.TypeName, err)
	}
	return v, nil
}

// isWithinUnknown reports whether an attribute is inside an unknown value. If
// the unknown value is a list or map element, the plugin framework treats the
// attribute as missing.
func isWithinUnknown(config tftypes.Value, at *tftypes.AttributePath) bool {
	steps := at.Steps()
	for n := range steps {
		around, _, err := tftypes.WalkAttributePath(config, tftypes.NewAttributePathWithSteps(steps[:n]))
		if v, ok := around.(tftypes.Value); err == nil && ok && !v.IsKnown() {
			return true
		}
	}
	return false
}
