package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// BenchmarkProtocol measures what Terraform asks for one job of a plan that
// changes nothing: docs/provider-design.md has the figures.
func BenchmarkProtocol(b *testing.B) {
	tf := start(b, b.TempDir())
	i := tf.resource("openpai_job")
	config := job([]string{"echo hello"}, tree{"wait_for": "completed", "environment": tree{"A": "1", "B": "2"}})
	if _, text := i.apply(config); unexpected(text) != "" {
		b.Fatal(text)
	}
	i.refresh()
	value := i.tf.value(config, i.typ)
	raw, prior, proposed := i.tf.encode(value), i.tf.encode(i.state), i.tf.encode(i.proposed(value, i.state))
	json := tf.json(i.state)
	null := i.tf.encode(i.null())

	b.Run("validate", func(b *testing.B) {
		for b.Loop() {
			_, _ = tf.server.ValidateResourceConfig(b.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: i.name, Config: raw})
		}
	})
	b.Run("upgrade", func(b *testing.B) {
		for b.Loop() {
			_, _ = tf.server.UpgradeResourceState(b.Context(), &tfprotov6.UpgradeResourceStateRequest{TypeName: i.name, RawState: &tfprotov6.RawState{JSON: json}})
		}
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			_, _ = tf.server.ReadResource(b.Context(), &tfprotov6.ReadResourceRequest{TypeName: i.name, CurrentState: prior, Private: i.private})
		}
	})
	b.Run("plan without change", func(b *testing.B) {
		for b.Loop() {
			_, _ = tf.server.PlanResourceChange(b.Context(), &tfprotov6.PlanResourceChangeRequest{TypeName: i.name, PriorState: prior, ProposedNewState: proposed, Config: raw, PriorPrivate: i.private})
		}
	})
	b.Run("plan to create", func(b *testing.B) {
		for b.Loop() {
			_, _ = tf.server.PlanResourceChange(b.Context(), &tfprotov6.PlanResourceChangeRequest{TypeName: i.name, PriorState: null, ProposedNewState: proposed, Config: raw})
		}
	})
}
