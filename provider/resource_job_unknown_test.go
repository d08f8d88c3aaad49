// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// An entire object can be unknown at plan time.
func TestAnObjectThatIsNotKnownLacksNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		resource string
		config   tree
		at       *tftypes.AttributePath
	}{
		"a task role": {"openpai_job", job([]string{"true"}), tftypes.NewAttributePath().WithAttributeName("task_roles").WithElementKeyString("worker")},
		"a callback": {
			"openpai_prerequisite", tree{"type": "script", "name": "a", "callbacks": []any{tree{"event": "taskStarts", "commands": []string{"true"}}}},
			tftypes.NewAttributePath().WithAttributeName("callbacks").WithElementKeyInt(0),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := start(t, t.TempDir()).resource(c.resource)
			config := unknownAt(t, i.tf.value(c.config, i.typ), c.at)
			validated, err := newServer(newProvider("test"), providerserver.NewProtocol6).ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
				TypeName: c.resource, Config: i.tf.encode(config),
			})
			if err != nil || diagnosticsText(validated.Diagnostics) != "" {
				t.Errorf("validate: %v %s", err, diagnosticsText(validated.Diagnostics))
			}
			planned, err := i.tf.server.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
				TypeName: c.resource, PriorState: i.tf.encode(i.null()), Config: i.tf.encode(config),
				ProposedNewState: i.tf.encode(unknownAt(t, i.proposed(i.tf.value(c.config, i.typ), i.null()), c.at)),
			})
			if err != nil || unexpected(diagnosticsText(planned.Diagnostics)) != "" {
				t.Errorf("plan: %v %s", err, diagnosticsText(planned.Diagnostics))
			}
		})
	}
}

// unknownAt returns a value in which the part at a path is unknown.
func unknownAt(t *testing.T, v tftypes.Value, at *tftypes.AttributePath) tftypes.Value {
	t.Helper()
	v, err := tftypes.Transform(v, func(here *tftypes.AttributePath, part tftypes.Value) (tftypes.Value, error) {
		if here.Equal(at) {
			return unknownValue(part.Type()), nil
		}
		return part, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}
