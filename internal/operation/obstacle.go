// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// checkCreations reports obstacles to creating jobs: missing claims, missing
// permissions, unreadable secret values, and missing Kubernetes Secrets. If the plan
// ends an unfinished job, each obstacle is an error, because the job would be lost.
// Otherwise, a missing value or permission is a warning, because plans created for
// review often lack values and permissions. A missing claim is a warning in a
// preliminary plan, because other resources may create the claim first.
func (o *Operation) checkCreations(ctx context.Context, p *Plan, r Request) (hcl.Diagnostics, error) {
	var all hcl.Diagnostics
	var lacking []*lack
	var secrets []*secretLack
	for _, c := range p.Changes {
		if c.Action != planner.Create && c.Action != planner.Replace {
			continue
		}
		ends := r.EndsWork || p.endsWork(c)
		claims, err := o.checkClaims(ctx, p, c, r.Preliminary && !ends)
		if err != nil {
			return nil, err
		}
		all = append(all, claims...)
		if lacking, err = p.addMissing(ctx, lacking, c, ends); err != nil {
			return nil, err
		}
		if secrets, err = o.addMissingSecrets(ctx, p, secrets, c, ends); err != nil {
			return nil, err
		}
	}
	return slices.Concat(all, p.lackedSecrets(secrets), p.lackedPermissions(lacking)), nil
}

// endsWork reports whether a change replaces an unfinished job.
func (p *Plan) endsWork(c *planner.Change) bool {
	if c.Action != planner.Replace || p.Live[c.Cluster] == nil {
		return false
	}
	live := p.Live[c.Cluster].Job(c.Replaced)
	return live != nil && live.Present && !live.Unstarted && !live.State.Finished()
}

// lack is a set of missing permissions that the user needs to create jobs.
type lack struct {
	cluster, missing string
	ends             bool // whether each job replaces an unfinished job
	first            *planner.Change
	jobs             []hclspec.Address
}

// addMissing adds the permissions that a job needs and the user lacks.
func (p *Plan) addMissing(ctx context.Context, all []*lack, c *planner.Change, ends bool) ([]*lack, error) {
	reviewer, ok := p.Clusters[c.Cluster].(cluster.PermissionReviewer)
	if !ok || c.Manifest == nil {
		return all, nil
	}
	missing, err := reviewer.MissingPermissions(ctx, cluster.Submission{Job: c.Job, Manifest: c.Manifest})
	if err != nil {
		return nil, fmt.Errorf("check the permissions that %s needs: %w", c.Address, err)
	}
	if len(missing) == 0 {
		return all, nil
	}
	text := strings.Join(missing, ", ")
	i := slices.IndexFunc(all, func(l *lack) bool { return l.cluster == c.Cluster && l.missing == text && l.ends == ends })
	if i < 0 {
		i, all = len(all), append(all, &lack{cluster: c.Cluster, missing: text, ends: ends, first: c})
	}
	all[i].jobs = append(all[i].jobs, c.Address)
	return all, nil
}

// lackedPermissions returns one diagnostic for each set of missing
// permissions.
func (p *Plan) lackedPermissions(all []*lack) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, l := range all {
		var at hcl.Range
		if declared := l.first.Job.Declared; declared != nil { // a repeated run has no declaration
			at = p.sources.Range(declared.Path)
		}
		d := PermissionMissing.At(at, "%s cannot be created%s: you may not %s.", jobList(l.jobs), inNamespace(p.Clusters[l.cluster]), l.missing)
		if !l.ends {
			d.Severity = hcl.DiagWarning
		}
		diags = append(diags, d)
	}
	return diags
}
