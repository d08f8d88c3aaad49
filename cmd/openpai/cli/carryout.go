package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// apply carries out a plan. Values of secrets that cannot be had are found
// before anything is sent.
func (p *project) apply(ctx context.Context, s *Streams, d *draft) error {
	if diags := p.missingSecrets(d.plan); diags.HasErrors() {
		return p.findings(diags)
	}
	unlock, err := lock(ctx, d.clusters)
	if err != nil {
		return err
	}
	defer unlock()
	if err := d.stillTrue(ctx); err != nil {
		return err
	}
	return cluster.Apply(ctx, d.plan, d.clusters, cluster.ApplyOptions{
		Secret: func(_ context.Context, secret *resolve.Secret) (string, error) {
			return p.loaded.SecretValue(secret.Declared)
		},
		Progress: &progress{streams: s},
	})
}

// lock keeps other commands from changing the jobs of clusters that know a
// lock. All commands lock in one order, so that of two the first goes on.
func lock(ctx context.Context, clusters map[string]cluster.Cluster) (unlock func(), err error) {
	var held []func()
	unlock = func() {
		for _, release := range held {
			release()
		}
	}
	for _, name := range slices.Sorted(maps.Keys(clusters)) {
		l, ok := clusters[name].(cluster.Locker)
		if !ok {
			continue
		}
		release, err := l.Lock(ctx)
		if err != nil {
			unlock()
			return nil, fmt.Errorf("lock cluster %s: %w", name, err)
		}
		held = append(held, release)
	}
	return unlock, nil
}

// stillTrue looks again at what runs, after the time that a person needed to
// agree. A plan that would now do something else is not carried out.
func (d *draft) stillTrue(ctx context.Context) error {
	now, err := d.again(ctx)
	if err != nil {
		return err
	}
	if !slices.Equal(doings(d.plan), doings(now.plan)) {
		return errors.New("what runs has changed since this plan was made; nothing was applied. Plan again")
	}
	return nil
}

// doings says in one line each what a plan does.
func doings(p *planner.Plan) []string {
	var all []string
	for _, c := range p.Changes {
		if c.Action != planner.NoOp {
			all = append(all, fmt.Sprint(c.Action, " ", c.Address, " ", c.Cluster, " ", c.Framework, " ", c.Replaced))
		}
	}
	return all
}

// missingSecrets reports every secret of a job that is to be created whose
// value is not to be had.
func (p *project) missingSecrets(plan *planner.Plan) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, c := range plan.Changes {
		if c.Action != planner.Create && c.Action != planner.Replace {
			continue
		}
		for _, secret := range c.Job.Secrets {
			if cluster.InCluster(secret) && c.Cluster != localCluster {
				continue // the cluster itself is asked
			}
			if _, err := p.loaded.SecretValue(secret.Declared); err != nil {
				at := p.loaded.Workspace.Sources.Range(secret.Declared.Path)
				diags = append(diags, hclspec.SecretUnavailable.At(at, "%s needs the value of the secret %q: %s. Nothing was applied.", c.Address, secret.Name, err))
			}
		}
	}
	return hclspec.Sort(diags)
}

// progress tells what apply does, one line per step that is done.
type progress struct{ streams *Streams }

var doneWords = map[cluster.Step]string{
	cluster.StepDelete: "deleted",
	cluster.StepCreate: "submitted",
	cluster.StepUpdate: "updated",
}

// Begin implements cluster.Progress. Only deletions last long enough to be
// announced.
func (p *progress) Begin(c *planner.Change, step cluster.Step) {
	if step == cluster.StepDelete {
		fmt.Fprintf(p.streams.out, "%s: deleting\n", c.Address)
	}
}

// End implements cluster.Progress. Errors are told by who called apply.
func (p *progress) End(c *planner.Change, step cluster.Step, err error) {
	if err == nil {
		fmt.Fprintf(p.streams.out, "%s: %s\n", c.Address, doneWords[step])
	}
}
