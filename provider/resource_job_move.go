// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// manifestState is the part of a kubernetes_manifest state that identifies a
// job.
type manifestState struct {
	Manifest struct {
		Value struct {
			Kind     string `json:"kind"`
			Metadata struct {
				Name        string            `json:"name"`
				Labels      map[string]string `json:"labels"`
				Annotations map[string]string `json:"annotations"`
			} `json:"metadata"`
		} `json:"value"`
	} `json:"manifest"`
}

// MoveState implements resource.ResourceWithMoveState. It moves a Framework from
// a kubernetes_manifest to a job.
func (r *jobResource) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{{StateMover: moveManifest}}
}

func moveManifest(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	if req.SourceTypeName != "kubernetes_manifest" || req.SourceRawState == nil {
		return
	}
	var from manifestState
	if json.Unmarshal(req.SourceRawState.JSON, &from) != nil || from.Manifest.Value.Kind != "Framework" {
		return
	}
	meta := from.Manifest.Value.Metadata
	user, name := meta.Labels[contract.LabelUser], meta.Annotations[contract.AnnotationJobName]
	if user == "" || name == "" || contract.FrameworkName(user, name) != meta.Name {
		resp.Diagnostics.AddError(NotOpenPAIJob.Summary,
			"The Framework "+meta.Name+" was not created by OpenPAI: its name does not match the label "+contract.LabelUser+" and the annotation "+contract.AnnotationJobName+". Remove the Framework from the state and declare the job again.")
		return
	}
	tree := map[string]any{"id": jobID(user, name), "name": name, "framework_name": meta.Name}
	state, err := shape.Value(tree, resp.TargetState.Schema.Type().TerraformType(ctx))
	if err != nil {
		panic("provider: " + err.Error())
	}
	resp.TargetState.Raw = withAttributes(state, map[string]tftypes.Value{"outdated": boolValue(false)})
	if resp.TargetIdentity == nil {
		return
	}
	for attribute, value := range jobIdentity(user, name) { // the location is not available here
		resp.Diagnostics.Append(resp.TargetIdentity.SetAttribute(ctx, path.Root(attribute), value)...)
	}
}
