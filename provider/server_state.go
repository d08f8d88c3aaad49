// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// UpgradeResourceState implements tfprotov6.ResourceServer. It returns a state of
// the current version unchanged if the state has exactly the attributes of the
// schema.
func (s *server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	if req.TypeName == jobType && req.RawState != nil && s.provider.conn != nil {
		s.provider.conn.names.read(jobIn(req.RawState.JSON))
	}
	if req.TypeName == storageType && req.RawState != nil && s.provider.conn != nil {
		s.provider.conn.names.read(idIn(req.RawState.JSON), "")
	}
	if req.TypeName != jobType || req.Version != jobSchemaVersion || req.RawState == nil || !matchesType(req.RawState.JSON, s.jobType(ctx)) {
		return s.frameworkServer.UpgradeResourceState(ctx, req)
	}
	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &tfprotov6.DynamicValue{JSON: req.RawState.JSON}}, nil
}

// UpgradeResourceIdentity implements tfprotov6.ResourceServer. A state has no
// identity if it was written by a Terraform version that does not support
// identities. The next read then sets the identity.
func (s *server) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	if req.RawIdentity == nil || len(req.RawIdentity.JSON) == 0 || string(req.RawIdentity.JSON) == "null" {
		return &tfprotov6.UpgradeResourceIdentityResponse{}, nil
	}
	return s.frameworkServer.UpgradeResourceIdentity(ctx, req)
}

// jobIn returns the Framework name and the last job state from a JSON
// resource state.
func jobIn(state []byte) (framework string, last planner.JobState) {
	var v struct {
		FrameworkName string           `json:"framework_name"`
		State         planner.JobState `json:"state"`
	}
	if json.Unmarshal(state, &v) != nil {
		return "", ""
	}
	return v.FrameworkName, v.State
}

// storageType is the resource type of storages.
const storageType = "openpai_storage"

// idIn returns the ID from a JSON state; the ID of a storage is its address.
func idIn(state []byte) string {
	var v struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(state, &v) != nil {
		return ""
	}
	return v.ID
}

// jobType returns the Terraform type of a job in the state.
func (s *server) jobType(ctx context.Context) tftypes.Type {
	s.once.Do(func() { s.typ = schemaOfJob().Type().TerraformType(ctx) })
	return s.typ
}

// matchesType reports whether a JSON state has exactly the attributes of a
// type.
func matchesType(state []byte, typ tftypes.Type) bool {
	d := json.NewDecoder(bytes.NewReader(state))
	d.UseNumber()
	var value any
	return len(state) > 0 && d.Decode(&value) == nil && hasOnlyKnown(value, typ)
}

func hasOnlyKnown(value any, typ tftypes.Type) bool {
	switch v := value.(type) {
	case map[string]any:
		return objectHasOnlyKnown(v, typ)
	case []any:
		if t, ok := typ.(tftypes.List); ok {
			for _, e := range v {
				if !hasOnlyKnown(e, t.ElementType) {
					return false
				}
			}
		}
	}
	return true
}

func objectHasOnlyKnown(v map[string]any, typ tftypes.Type) bool {
	switch t := typ.(type) {
	case tftypes.Object:
		for name, e := range v {
			if inner, ok := t.AttributeTypes[name]; !ok || !hasOnlyKnown(e, inner) {
				return false
			}
		}
		return len(v) == len(t.AttributeTypes)
	case tftypes.Map:
		for _, e := range v {
			if !hasOnlyKnown(e, t.ElementType) {
				return false
			}
		}
	}
	return true
}
