// SPDX-License-Identifier: MPL-2.0

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

// checkClaims reports missing claims, because the tasks of the job would wait for
// them forever. If maybeCreated is true, another resource may create a missing
// claim before the job. checkClaims then reports a warning, and other jobs on the
// connection reuse the cached result.
func (o *Operation) checkClaims(ctx context.Context, p *Plan, c *planner.Change, maybeCreated bool) (hcl.Diagnostics, error) {
	keeper, ok := p.Clusters[c.Cluster].(cluster.StorageKeeper)
	if !ok {
		return nil, nil
	}
	var diags hcl.Diagnostics
	for _, s := range adoptedStorages(c.Job) {
		missing := missingClaim{s.Claim, maybeCreated}
		if slices.Contains(p.missingClaims, missing) {
			continue
		}
		exists, err := o.hasClaim(ctx, c.Cluster, keeper, s, maybeCreated)
		if err != nil {
			return nil, fmt.Errorf("look up the claim of %s: %w", s.Address(), err)
		}
		if exists {
			continue
		}
		p.missingClaims = append(p.missingClaims, missing)
		d := claimNotFound(s, p.Clusters[c.Cluster], p.sources)
		if maybeCreated {
			d.Severity = hcl.DiagWarning
		}
		diags = append(diags, d)
	}
	return diags, nil
}

// missingClaim is a claim that the plan already reported as missing.
type missingClaim struct {
	name    string
	warning bool
}

// hasClaim reports whether a claim exists. It also returns true for a claim that
// the user may not read. Positive results are cached. A cached negative result
// is used only if a missing claim is a warning.
func (o *Operation) hasClaim(ctx context.Context, clusterName string, keeper cluster.StorageKeeper, s *hclspec.Storage, forWarning bool) (bool, error) {
	o.asking.Lock()
	defer o.asking.Unlock()
	at := place{clusterName, s.Claim}
	if exists, known := o.claims[at]; exists || known && forWarning {
		return exists, nil
	}
	exists, err := keeper.HasStorage(ctx, s)
	if errors.Is(err, cluster.ErrForbidden) {
		exists, err = true, nil
	}
	if err == nil {
		o.claims[at] = exists
	}
	return exists, err
}

// adoptedStorages returns the storages of a job whose claims apply does not
// create. An undeclared storage refers to the claim with the same name.
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

// inNamespace returns a phrase such as " in the namespace x", or "" if the cluster
// has no namespaces.
func inNamespace(c cluster.Cluster) string {
	if n, ok := c.(cluster.Namespacer); ok {
		if name, err := n.Namespace(); err == nil {
			return " in the namespace " + name
		}
	}
	return ""
}

// MakeStorage creates the volume and claim of a storage on a cluster that manages
// storages. For a storage with an adopted claim, MakeStorage only checks the
// claim. The error is a [Refused] if the adopted claim does not exist. It is also
// a [Refused] if the storage was created from a different declaration.
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

// CreateStorage is like [Operation.MakeStorage] for a caller whose separate state
// does not contain the storage yet. It fails with [cluster.ErrStorageTaken] if
// another state owns the storage. created is false if the directory of the storage
// already existed.
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

// IsStorageTaken reports whether [Operation.CreateStorage] would fail because the
// storage already has an owner.
func (o *Operation) IsStorageTaken(ctx context.Context, clusterName string, s *hclspec.Storage) (bool, error) {
	c, err := o.Cluster(clusterName)
	if err != nil {
		return false, err
	}
	owner, ok := c.(cluster.StorageOwner)
	if !ok || s.Claim != "" {
		return false, nil
	}
	return owner.HasOwner(ctx, s)
}

// StorageEnd controls whether [Operation.EndStorage] deletes, releases or keeps a
// storage.
type StorageEnd struct {
	Remove bool // delete the objects of the storage
	// Imported means that the caller did not create the storage. EndStorage
	// then keeps an owned storage, because the owner is another caller.
	Imported bool
}

// EndStorage releases or deletes a storage. kept reports whether EndStorage left
// the storage unchanged because another caller owns it. Like [Operation.Delete],
// EndStorage cleans up when no jobs remain.
func (o *Operation) EndStorage(ctx context.Context, clusterName string, s *hclspec.Storage, end StorageEnd) (kept bool, err error) {
	if s.Claim != "" {
		return false, nil
	}
	err = o.deleting(ctx, clusterName, true, func(c cluster.Cluster) (err error) {
		owner, ok := c.(cluster.StorageOwner)
		if !ok {
			return nil
		}
		if end.Imported {
			if kept, err = owner.IsOwned(ctx, s); kept || err != nil {
				return err
			}
		}
		if end.Remove {
			return owner.RemoveStorage(ctx, s)
		}
		return owner.ReleaseStorage(ctx, s)
	})
	return kept, err
}

// declaredStorages returns the declared storages that the jobs mount, with
// duplicates.
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

// refuseStorages converts an error that consists only of [cluster.StorageFixed]
// values to a [Refused]. It returns other errors unchanged.
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

// parts returns the errors that err joins, or err itself.
func parts(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}
