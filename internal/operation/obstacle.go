// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// checkCreations reports what prevents the creation of the jobs in a plan:
// missing claims, missing permissions, and values of secrets that cannot be read.
// If the plan ends an unfinished job, each is an error, because the job would be
// lost. Otherwise a missing value or permission is a warning, since plans for
// review have neither; and the claims of a preliminary plan may be created before
// it is applied.
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
		diags, err := o.missingPermissions(ctx, p, c)
		if err != nil {
			return nil, err
		}
		diags = append(diags, o.unreadableSecrets(ctx, p, c, ends)...)
		if !ends {
			diags = asWarnings(diags)
		}
		all = append(all, diags...)
	}
	return all, nil
}

// endsWork reports whether a replacement ends an unfinished job.
func (p *Plan) endsWork(c *planner.Change) bool {
	if c.Action != planner.Replace || p.Live[c.Cluster] == nil {
		return false
	}
	live := p.Live[c.Cluster].Job(c.Replaced)
	return live != nil && live.Present && !live.Unstarted && !live.State.Finished()
}

// missingPermissions reports the permissions that creating a job needs and the
// user lacks.
func (o *Operation) missingPermissions(ctx context.Context, p *Plan, c *planner.Change) (hcl.Diagnostics, error) {
	reviewer, ok := p.Clusters[c.Cluster].(cluster.PermissionReviewer)
	if !ok || c.Manifest == nil {
		return nil, nil
	}
	missing, err := reviewer.MissingPermissions(ctx, cluster.Submission{Job: c.Job, Manifest: c.Manifest})
	if err != nil {
		return nil, fmt.Errorf("look for the permissions that %s needs: %w", c.Address, err)
	}
	if len(missing) == 0 {
		return nil, nil
	}
	var at hcl.Range
	if c.Job.Declared != nil { // a repeated run is not declared
		at = p.sources.Range(c.Job.Declared.Path)
	}
	return hcl.Diagnostics{PermissionMissing.At(at,
		"%s cannot be created%s: you may not %s.", c.Address, inNamespace(p.Clusters[c.Cluster]), strings.Join(missing, ", "))}, nil
}

// unreadableSecrets reports every secret of a job whose value cannot be read. It
// reads values that the cluster holds only if work would be lost.
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

// asWarnings turns errors into warnings.
func asWarnings(diags hcl.Diagnostics) hcl.Diagnostics {
	for _, d := range diags {
		d.Severity = hcl.DiagWarning
	}
	return diags
}
