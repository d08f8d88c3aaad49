// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"bytes"
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/provider/wire"
)

// decodeJob returns null for absent values. It decodes consecutive identical
// values once, because the planned value of a new job is often identical to
// the configuration.
func (s *server) decodeJob(ctx context.Context, from ...*tfprotov6.DynamicValue) ([]tftypes.Value, error) {
	values := make([]tftypes.Value, len(from))
	for i, d := range from {
		if i > 0 && sameEncoding(from[i-1], d) {
			values[i] = values[i-1]
			continue
		}
		v, err := wire.Decode(d, s.jobType(ctx))
		if err != nil {
			return nil, fmt.Errorf("read a job: %w", err)
		}
		values[i] = v
	}
	return values, nil
}

func sameEncoding(a, b *tfprotov6.DynamicValue) bool {
	return a != nil && b != nil && len(a.MsgPack) > 0 && bytes.Equal(a.MsgPack, b.MsgPack)
}

func protocolDiagnostics(found diag.Diagnostics) []*tfprotov6.Diagnostic {
	var all []*tfprotov6.Diagnostic
	for _, f := range found {
		d := &tfprotov6.Diagnostic{Severity: tfprotov6.DiagnosticSeverityWarning, Summary: f.Summary(), Detail: f.Detail()}
		if f.Severity() == diag.SeverityError {
			d.Severity = tfprotov6.DiagnosticSeverityError
		}
		if placed, ok := f.(diag.DiagnosticWithPath); ok {
			d.Attribute = protocolPath(placed.Path())
		}
		all = append(all, d)
	}
	return all
}

// protocolPath converts a path to the type of the plugin protocol. It does
// not support set elements, because jobs contain no sets.
func protocolPath(p path.Path) *tftypes.AttributePath {
	var steps []tftypes.AttributePathStep
	for _, step := range p.Steps() {
		switch step := step.(type) {
		case path.PathStepAttributeName:
			steps = append(steps, tftypes.AttributeName(step))
		case path.PathStepElementKeyInt:
			steps = append(steps, tftypes.ElementKeyInt(step))
		case path.PathStepElementKeyString:
			steps = append(steps, tftypes.ElementKeyString(step))
		}
	}
	return tftypes.NewAttributePathWithSteps(steps)
}
