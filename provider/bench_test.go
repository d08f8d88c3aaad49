// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// BenchmarkProtocol measures Terraform's requests for one job, with this package
// and with only the plugin framework. The results are in
// contributing/provider-design.md.
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

	tests := []struct {
		name string
		ask  func(tfprotov6.ProviderServer) error
	}{
		{"validate", func(s tfprotov6.ProviderServer) error {
			_, err := s.ValidateResourceConfig(b.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: i.name, Config: raw})
			return err
		}},
		{"upgrade", func(s tfprotov6.ProviderServer) error {
			_, err := s.UpgradeResourceState(b.Context(), &tfprotov6.UpgradeResourceStateRequest{TypeName: i.name, Version: jobSchemaVersion, RawState: &tfprotov6.RawState{JSON: json}})
			return err
		}},
		{"read", func(s tfprotov6.ProviderServer) error {
			_, err := s.ReadResource(b.Context(), &tfprotov6.ReadResourceRequest{TypeName: i.name, CurrentState: prior, Private: i.private})
			return err
		}},
		{"plan without change", func(s tfprotov6.ProviderServer) error {
			_, err := s.PlanResourceChange(b.Context(), &tfprotov6.PlanResourceChangeRequest{TypeName: i.name, PriorState: prior, ProposedNewState: proposed, Config: raw, PriorPrivate: i.private})
			return err
		}},
		{"plan to create", func(s tfprotov6.ProviderServer) error {
			_, err := s.PlanResourceChange(b.Context(), &tfprotov6.PlanResourceChangeRequest{TypeName: i.name, PriorState: null, ProposedNewState: proposed, Config: raw})
			return err
		}},
	}
	for _, tt := range tests {
		b.Run(tt.name, func(b *testing.B) {
			for b.Loop() {
				if err := tt.ask(tf.server); err != nil {
					b.Fatal(err)
				}
			}
			served := b.Elapsed() / time.Duration(b.N)
			b.ReportMetric(float64(timeOf(b, tf.server.(*server).frameworkServer, tt.ask))/float64(served), "x-framework")
		})
	}
}

func timeOf(b *testing.B, s tfprotov6.ProviderServer, ask func(tfprotov6.ProviderServer) error) time.Duration {
	b.Helper()
	const times = 50
	began := time.Now()
	for range times {
		if err := ask(s); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(began) / times
}
