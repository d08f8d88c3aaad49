// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// secretValue returns the function with which a plan reads the values of secrets.
func (o *Operation) secretValue(r Request) func(*resolve.Secret) (string, bool) {
	if r.SecretValue != nil {
		return r.SecretValue
	}
	return func(s *resolve.Secret) (string, bool) {
		if s.Declared == nil {
			return "", false
		}
		value, err := o.options.Secret(s.Declared)
		return value, err == nil
	}
}

// readSecret reads a value that is about to be sent.
func (o *Operation) readSecret(_ context.Context, s *resolve.Secret) (string, error) {
	return o.options.Secret(s.Declared)
}

// missingSecrets reports every unavailable secret value of a job to be created.
func (o *Operation) missingSecrets(p *planner.Plan, sources hclspec.SourceMap) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, c := range p.Changes {
		if c.Action != planner.Create && c.Action != planner.Replace {
			continue
		}
		for _, secret := range c.Job.Secrets {
			if cluster.InCluster(secret) && c.Cluster != resolve.LocalCluster {
				continue // the cluster provides the value
			}
			if _, err := o.options.Secret(secret.Declared); err != nil {
				diags = append(diags, SecretUnavailable.At(sources.Range(secret.Declared.Path),
					"%s needs the value of the secret %q: %s. Nothing was applied.", c.Address, secret.Name, err))
			}
		}
	}
	return diags
}
