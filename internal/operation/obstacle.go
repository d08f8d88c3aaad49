package operation

import (
	"context"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// checkCreations finds what keeps the jobs of a plan from being created: claims
// that do not exist, and values of secrets that cannot be read. Where the plan
// ends a job that is not finished, each is an error: the job would be lost. Else
// a missing value is a warning, since plans for review have no secrets, and the
// claims of a preliminary plan may be created before it is applied.
func (o *Operation) checkCreations(ctx context.Context, p *Plan, preliminary bool) (hcl.Diagnostics, error) {
	var all hcl.Diagnostics
	for _, c := range p.Changes {
		if c.Action != planner.Create && c.Action != planner.Replace {
			continue
		}
		ends := p.endsWork(c)
		if ends || !preliminary {
			diags, err := o.checkClaims(ctx, p, c)
			if err != nil {
				return nil, err
			}
			all = append(all, diags...)
		}
		diags := o.unreadableSecrets(ctx, p, c, ends)
		if !ends {
			diags = asWarnings(diags)
		}
		all = append(all, diags...)
	}
	return all, nil
}

// endsWork reports whether a replacement ends a job that is not finished.
func (p *Plan) endsWork(c *planner.Change) bool {
	if c.Action != planner.Replace || p.Live[c.Cluster] == nil {
		return false
	}
	live := p.Live[c.Cluster].Job(c.Replaced)
	return live != nil && live.Present && !live.Unstarted && !live.State.Finished()
}

// unreadableSecrets reports every secret of a job whose value cannot be read.
// The cluster is asked for those that it holds only where work would be lost.
func (o *Operation) unreadableSecrets(ctx context.Context, p *Plan, c *planner.Change, ends bool) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, s := range c.Job.Secrets {
		var err error
		switch source, ok := p.Clusters[c.Cluster].(cluster.SecretSource); {
		case !cluster.InCluster(s) || c.Cluster == resolve.LocalCluster:
			_, err = o.options.Secret(s.Declared)
		case ok && ends:
			_, err = source.SecretValue(ctx, s.Declared.Kubernetes.Name, s.Declared.Kubernetes.Key)
		}
		if err != nil {
			diags = append(diags, SecretUnavailable.At(p.sources.Range(s.Declared.Path), "%s cannot be created without the value of the secret %q: %s.", c.Address, s.Name, err))
		}
	}
	return diags
}

// asWarnings makes errors warnings.
func asWarnings(diags hcl.Diagnostics) hcl.Diagnostics {
	for _, d := range diags {
		d.Severity = hcl.DiagWarning
	}
	return diags
}
