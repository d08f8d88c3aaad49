// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func (o *Operation) readSecret(_ context.Context, s *resolve.Secret) (string, error) {
	return o.options.Secret(s.Declared)
}

// missingSecrets reports unavailable secret values of jobs that the plan
// submits.
func (o *Operation) missingSecrets(p *Plan) hcl.Diagnostics {
	return o.missingSecretsOf(p, submissionsOf(p))
}

// submissionsOf returns the changes that create or replace a job.
func submissionsOf(p *Plan) []*planner.Change {
	return slices.DeleteFunc(slices.Clone(p.Changes), func(c *planner.Change) bool {
		return c.Action != planner.Create && c.Action != planner.Replace
	})
}

// missingSecretsOf reports unavailable secret values. It reports each set of
// values once.
func (o *Operation) missingSecretsOf(p *Plan, changes []*planner.Change) hcl.Diagnostics {
	return secretDiagnostics(o.secretLacks(p, changes), " Nothing was applied.")
}

// secretDiagnostics appends consequence to each message.
func secretDiagnostics(all []*secretLack, consequence string) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, l := range all {
		diags = append(diags, SecretUnavailable.At(l.at, "%s cannot be created without %s.%s", jobList(l.jobs), l.missing, consequence))
	}
	return diags
}

func (o *Operation) secretLacks(p *Plan, changes []*planner.Change) []*secretLack {
	var all []*secretLack
	for _, c := range changes {
		var missing []missingSecret
		for _, secret := range c.Job.Secrets {
			if err := o.lackOf(p, c, secret); err != nil {
				missing = append(missing, newMissingSecret(secret, err))
			}
		}
		all = p.addSecretLack(all, missing, c, false)
	}
	return all
}

// lackOf returns the reason why a secret has no value, or nil. For a new job,
// the cluster provides the values of Kubernetes Secrets.
func (o *Operation) lackOf(p *Plan, c *planner.Change, s *resolve.Secret) error {
	if !cluster.InCluster(s) || c.Cluster == resolve.LocalCluster {
		_, err := o.options.Secret(s.Declared)
		return err
	}
	if c.Action == planner.NoOp {
		return p.values.problem(c.Cluster, s)
	}
	return nil
}

// refuseSecrets converts an error that consists only of [cluster.SecretError]
// values to a [Refused]. It returns other errors unchanged.
func refuseSecrets(err error, sources hclspec.SourceMap) error {
	var diags hcl.Diagnostics
	for _, e := range parts(err) {
		var secret *cluster.SecretError
		if !errors.As(e, &secret) {
			return err
		}
		diags = append(diags, SecretUnavailable.At(sources.Range(secret.Secret.Declared.Path), "%s.", e))
	}
	return refuse(diags)
}
