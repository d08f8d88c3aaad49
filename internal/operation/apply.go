package operation

import (
	"context"
	"errors"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// ErrStale says that what runs has changed since a plan was made.
var ErrStale = errors.New("what runs has changed since this plan was made; nothing was applied. Plan again")

// ApplyOptions say how a plan is carried out.
type ApplyOptions struct {
	// Declaration returns what is kept of a job for import; may be nil.
	Declaration func(*planner.Change) []byte
	// Progress may be nil.
	Progress cluster.Progress
	// Tidy removes, after the plan was carried out, what the clusters keep for
	// jobs in general, where no job is left.
	Tidy bool
}

// Apply carries out a plan: it finds missing values of secrets, locks, makes
// sure that the plan still holds, and writes. Nothing is planned or rendered
// again. A plan that no longer holds is an [ErrStale].
func (o *Operation) Apply(ctx context.Context, p *Plan, a ApplyOptions) error {
	if err := refuse(o.missingSecrets(p.Plan, p.sources)); err != nil {
		return err
	}
	unlock, err := o.Lock(ctx, p.Clusters)
	if err != nil {
		return err
	}
	defer unlock()
	now, err := p.read(ctx)
	if err != nil {
		return err
	}
	if !p.holds(now) {
		return ErrStale
	}
	err = cluster.Apply(ctx, p.Plan, p.Clusters, cluster.ApplyOptions{
		Secret: o.readSecret, Declaration: a.Declaration, Progress: a.Progress,
	})
	if err != nil {
		return refuseStorages(err, p.declaredStorages(), p.sources)
	}
	o.renderings.forget(p.Plan)
	if !a.Tidy {
		return nil
	}
	return tidy(ctx, p.Clusters)
}

// Delete removes one job. check may refuse it, under the lock; it may be nil.
func (o *Operation) Delete(ctx context.Context, clusterName, framework string, check func(context.Context) error) error {
	c, err := o.Cluster(clusterName)
	if err != nil {
		return err
	}
	unlock, err := o.Lock(ctx, map[string]cluster.Cluster{clusterName: c})
	if err != nil {
		return err
	}
	defer unlock()
	if check != nil {
		if err := check(ctx); err != nil {
			return err
		}
	}
	return c.Delete(ctx, framework)
}

// Tidy removes what the clusters keep for jobs in general, where no job is
// left: also what an earlier destroy could not remove.
func (o *Operation) Tidy(ctx context.Context) error {
	clusters, err := o.Clusters()
	if err != nil {
		return err
	}
	return tidy(ctx, clusters)
}

func tidy(ctx context.Context, clusters map[string]cluster.Cluster) error {
	var all []error
	for _, c := range clusters {
		if t, ok := c.(cluster.Tidier); ok {
			all = append(all, t.Tidy(ctx))
		}
	}
	return errors.Join(all...)
}
