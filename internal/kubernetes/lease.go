// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

// lease is the Lease that a process holds while it changes a workspace.
type lease struct {
	APIVersion string               `json:"apiVersion"`
	Kind       string               `json:"kind"`
	Metadata   framework.ObjectMeta `json:"metadata"`
	Spec       leaseSpec            `json:"spec"`
}

type leaseSpec struct {
	HolderIdentity       string `json:"holderIdentity"`
	LeaseDurationSeconds int    `json:"leaseDurationSeconds"`
	AcquireTime          string `json:"acquireTime"`
	RenewTime            string `json:"renewTime"`
}

// microTime is the time format of a Lease.
const microTime = "2006-01-02T15:04:05.000000Z07:00"

// Lock implements cluster.Locker. It waits until the Lease of a killed apply
// expires. If a live process holds the Lease, the error identifies the
// holder.
func (c *Cluster) Lock(ctx context.Context) (unlock func(), err error) {
	if _, err := c.connect(); err != nil {
		return nil, err
	}
	return c.hold(ctx, leaseName(c.options.Workspace))
}

// hold acquires a Lease and renews it until release is called.
func (c *Cluster) hold(ctx context.Context, name string) (release func(), err error) {
	held, err := c.acquire(ctx, name)
	if err != nil {
		return nil, err
	}
	// An interrupt must not stop the renewal, because an interrupted command
	// still completes its work.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var renewing sync.WaitGroup
	renewing.Go(func() { c.renew(ctx, held) })
	return sync.OnceFunc(func() {
		cancel()
		renewing.Wait()
		c.release(held)
	}), nil
}

// acquire creates the Lease, or takes over an expired Lease. A Lease is
// expired if it does not change for the lease duration. acquire does not trust
// the clocks of other machines.
func (c *Cluster) acquire(ctx context.Context, name string) (*lease, error) {
	seen, since := "", c.options.Now()
	for {
		held, err := c.makeLease(ctx, name)
		if !apierrors.IsAlreadyExists(err) {
			return held, err
		}
		var other lease
		err = c.get(ctx, api.Leases, name, &other)
		if api.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if other.Spec.HolderIdentity == c.options.Holder {
			return &other, nil // the response to our first request was lost
		}
		switch version := other.Metadata.ResourceVersion; {
		case seen == "":
			seen, since = version, c.options.Now()
		case seen != version:
			return nil, &LockedError{Workspace: c.options.Workspace, Holder: other.Spec.HolderIdentity}
		case c.options.Now().Sub(since) > c.options.LeaseDuration:
			if err := c.client.DeleteUnchanged(ctx, api.Leases, other.Metadata); err != nil {
				return nil, err
			}
			continue
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for the Lease %s, held by %s: %w", name, other.Spec.HolderIdentity, context.Cause(ctx))
		case <-time.After(c.options.LeaseDuration / 20):
		}
	}
}

// LockedError is returned when another process holds the lock of the workspace.
type LockedError struct{ Workspace, Holder string }

func (e *LockedError) Error() string {
	return fmt.Sprintf("another command (%[2]s) is changing the workspace %[1]q; try again when it has finished", e.Workspace, e.Holder)
}

// Is returns true for cluster.ErrLocked.
func (e *LockedError) Is(target error) bool { return target == cluster.ErrLocked }

func leaseName(workspace string) string { return keyName(workspace) }

func (c *Cluster) makeLease(ctx context.Context, name string) (*lease, error) {
	now := c.options.Now().UTC().Format(microTime)
	l := &lease{
		APIVersion: api.Leases.APIVersion, Kind: api.Leases.Kind,
		Metadata: framework.ObjectMeta{
			Name: name, Namespace: c.namespace,
			Labels:      map[string]string{contract.LabelManagedBy: contract.ManagedBy, contract.KeyWorkspace: contract.LabelValue(c.options.Workspace)},
			Annotations: map[string]string{contract.KeyWorkspace: c.options.Workspace},
		},
		Spec: leaseSpec{
			HolderIdentity: c.options.Holder, LeaseDurationSeconds: max(1, int(c.options.LeaseDuration/time.Second)), AcquireTime: now, RenewTime: now,
		},
	}
	var made lease
	err := c.do(ctx, api.Request{
		Method: http.MethodPost, Path: api.Leases.Path(c.namespace, ""), ContentType: api.TypeJSON,
		Query: url.Values{"fieldManager": {api.FieldManager}}, Body: l, What: "create Lease " + l.Metadata.Name,
	}, &made)
	return &made, err
}

// renew returns when the context ends, or when the Lease was deleted or replaced.
// It retries a failed renewal.
func (c *Cluster) renew(ctx context.Context, held *lease) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(c.options.LeaseDuration / 3):
		}
		err := c.do(ctx, api.Request{
			Method: http.MethodPatch, Path: api.Leases.Path(c.namespace, held.Metadata.Name), ContentType: api.TypeJSONPatch, Accept: api.MetadataOnly,
			Query: url.Values{"fieldManager": {api.FieldManager}}, What: "renew Lease " + held.Metadata.Name,
			Body: []operation{test("/metadata/uid", held.Metadata.UID), replace("/spec/renewTime", c.options.Now().UTC().Format(microTime))},
		}, nil)
		if api.IsNotFound(err) || apierrors.IsInvalid(err) {
			return
		}
	}
}

// releaseTime is the maximum time for deleting a Lease, even after an
// interrupted apply.
const releaseTime = 10 * time.Second

// release ignores errors, because an unreleased Lease expires.
func (c *Cluster) release(held *lease) {
	ctx, cancel := context.WithTimeout(context.Background(), releaseTime)
	defer cancel()
	_ = c.removeVersion(ctx, api.Leases, held.Metadata, "Background")
}
