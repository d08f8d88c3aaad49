package operation

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// checkClaims finds claims that do not exist although a job that is to be created
// mounts them: its tasks would wait for ever. Each claim is looked for once.
func (o *Operation) checkClaims(ctx context.Context, p *Plan, c *planner.Change) (hcl.Diagnostics, error) {
	remover, ok := p.Clusters[c.Cluster].(cluster.StorageKeeper)
	if !ok {
		return nil, nil
	}
	var diags hcl.Diagnostics
	for _, s := range adoptedStorages(c.Job) {
		if slices.Contains(p.missingClaims, s.Claim) {
			continue
		}
		exists, err := o.hasClaim(ctx, c.Cluster, remover, s)
		if err != nil {
			return nil, fmt.Errorf("look for the claim of %s: %w", s.Address(), err)
		}
		if !exists {
			p.missingClaims = append(p.missingClaims, s.Claim)
			diags = append(diags, claimNotFound(s, p.Clusters[c.Cluster], p.sources))
		}
	}
	return diags, nil
}

// hasClaim asks once for each claim that exists. One that may not be read counts
// as one.
func (o *Operation) hasClaim(ctx context.Context, clusterName string, remover cluster.StorageKeeper, s *hclspec.Storage) (bool, error) {
	o.asking.Lock()
	defer o.asking.Unlock()
	at := place{clusterName, s.Claim}
	if o.claims[at] {
		return true, nil
	}
	exists, err := remover.HasStorage(ctx, s)
	if errors.Is(err, cluster.ErrForbidden) {
		exists, err = true, nil
	}
	o.claims[at] = exists && err == nil
	return exists, err
}

// adoptedStorages are those of a job for which no claim is created. One that is
// not declared is the claim of its name.
func adoptedStorages(job *resolve.Job) []*hclspec.Storage {
	var all []*hclspec.Storage
	for _, role := range job.TaskRoles {
		for _, m := range role.Mounts {
			switch {
			case m.Declared == nil:
				all = append(all, &hclspec.Storage{Name: m.Storage, Claim: m.Storage})
			case m.Declared.Claim != "":
				all = append(all, m.Declared)
			}
		}
	}
	return all
}

func claimNotFound(s *hclspec.Storage, c cluster.Cluster, sources hclspec.SourceMap) *hcl.Diagnostic {
	return hclspec.ClaimNotFound.At(sources.Range(s.Path.Attr("claim")), "%s: the claim %s does not exist%s. %s", s.Address(), s.Claim, inNamespace(c), hclspec.ClaimNotFound.Advice)
}

// inNamespace says where the objects of a cluster are; "" when it has no
// namespaces.
func inNamespace(c cluster.Cluster) string {
	if n, ok := c.(cluster.Namespacer); ok {
		if name, err := n.Namespace(); err == nil {
			return " in the namespace " + name
		}
	}
	return ""
}

// MakeStorage creates the volume and claim of a storage on a cluster that keeps
// storages, or looks for the claim that the storage adopts. A storage that
// cannot be had as it is declared is a [Refused].
func (o *Operation) MakeStorage(ctx context.Context, clusterName string, s *hclspec.Storage, sources hclspec.SourceMap) error {
	c, err := o.Cluster(clusterName)
	if err != nil {
		return err
	}
	remover, ok := c.(cluster.StorageKeeper)
	if !ok {
		return nil
	}
	if s.Claim != "" {
		exists, err := remover.HasStorage(ctx, s)
		if err == nil && !exists {
			return refuse(hcl.Diagnostics{claimNotFound(s, c, sources)})
		}
		return err
	}
	return refuseStorages(remover.MakeStorage(ctx, s), []*hclspec.Storage{s}, sources)
}

// CreateStorage is [Operation.MakeStorage] for a caller that keeps a state and does
// not have the storage yet. It fails with [cluster.ErrStorageTaken] when another
// one has. created is false for a directory that existed.
func (o *Operation) CreateStorage(ctx context.Context, clusterName string, s *hclspec.Storage, sources hclspec.SourceMap) (created bool, err error) {
	c, err := o.Cluster(clusterName)
	if err != nil {
		return false, err
	}
	owner, ok := c.(cluster.StorageOwner)
	if !ok || s.Claim != "" {
		return false, o.MakeStorage(ctx, clusterName, s, sources)
	}
	unlock, err := o.Lock(ctx, map[string]cluster.Cluster{clusterName: c})
	if err != nil {
		return false, err
	}
	defer unlock()
	created, err = owner.CreateStorage(ctx, s)
	if errors.Is(err, cluster.ErrStorageTaken) {
		return false, err
	}
	return created, refuseStorages(err, []*hclspec.Storage{s}, sources)
}

// EndStorage gives a storage up and, if it is declared to go, deletes it. Like
// [Operation.Delete] it cleans up after the last one.
func (o *Operation) EndStorage(ctx context.Context, clusterName string, s *hclspec.Storage, remove bool) error {
	if s.Claim != "" {
		return nil
	}
	return o.deleting(ctx, clusterName, true, func(c cluster.Cluster) error {
		owner, ok := c.(cluster.StorageOwner)
		switch {
		case !ok:
			return nil
		case remove:
			return owner.RemoveStorage(ctx, s)
		}
		return owner.ReleaseStorage(ctx, s)
	})
}

// declaredStorages are the declared storages that the jobs of a plan mount.
func (p *Plan) declaredStorages() []*hclspec.Storage {
	var all []*hclspec.Storage
	for _, c := range p.Changes {
		if c.Job == nil {
			continue
		}
		for _, role := range c.Job.TaskRoles {
			for _, m := range role.Mounts {
				if m.Declared != nil {
					all = append(all, m.Declared)
				}
			}
		}
	}
	return all
}

// refuseStorages turns the error of an apply into a [Refused] when all that
// failed are storages that exist with another declaration. Other errors stay
// what they are.
func refuseStorages(err error, declared []*hclspec.Storage, sources hclspec.SourceMap) error {
	var diags hcl.Diagnostics
	reported := map[hclspec.Address]bool{}
	for _, e := range parts(err) {
		var fixed *cluster.StorageFixed
		if !errors.As(e, &fixed) {
			return err
		}
		if reported[fixed.Storage] {
			continue
		}
		reported[fixed.Storage] = true
		var at hcl.Range
		for _, s := range declared {
			if s.Address() == fixed.Storage {
				at = sources.Range(s.Path.Attr(s.Kind()))
			}
		}
		diags = append(diags, hclspec.VolumeFixed.At(at, "%s: %s. %s", fixed.Storage, fixed, hclspec.VolumeFixed.Advice))
	}
	return refuse(diags)
}

// parts returns the errors that were joined, or the one error.
func parts(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}
