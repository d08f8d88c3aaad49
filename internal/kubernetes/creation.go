// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// HoldCreation implements cluster.Creator with a Lease for the job. Like Lock, it
// waits for the Lease of a killed process to expire.
func (c *Cluster) HoldCreation(ctx context.Context, framework string) (release func(), err error) {
	if _, err := c.connect(); err != nil {
		return nil, err
	}
	release, err = c.hold(ctx, contract.CreationLease(framework))
	if held := (*LockedError)(nil); errors.As(err, &held) {
		return nil, fmt.Errorf("%w (%s)", cluster.ErrBeingCreated, held.Holder)
	}
	return release, err
}

// begun contains the started Framework and the saved record of a creation.
// FinishCreation uses them to avoid requests.
type begun struct {
	framework *liveFramework // nil: unknown, must be read
	record    *stored
}

func (c *Cluster) began(framework string, b *begun) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun[framework] = b
}

// lastBegun returns the state of a creation and removes it from the cache. It
// returns nil if the cache does not contain the state.
func (c *Cluster) lastBegun(framework string) *begun {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.begun[framework]
	delete(c.begun, framework)
	return b
}

// FinishCreation implements cluster.Creator. Immediately after the creation, it
// sends only the request that removes the mark. Otherwise, it also reads the
// Framework. The record comes from the response to the request that removes the
// mark. No call reads the applied job.
func (c *Cluster) FinishCreation(ctx context.Context, framework string, waited bool) (*planner.LiveJob, error) {
	defer c.forget(framework)
	if b := c.lastBegun(framework); b != nil && b.framework != nil && !waited {
		return c.finishBegun(ctx, framework, b)
	}
	return c.findWith(ctx, framework, func(ctx context.Context, name string) (*stored, recordObject, error) {
		var o recordObject
		found, err := c.unmarkRecord(ctx, name, "", &o)
		if !found || err != nil {
			return nil, o, err
		}
		r, err := readRecord(o)
		return r, recordObject{}, err
	})
}

func (c *Cluster) finishBegun(ctx context.Context, framework string, b *begun) (*planner.LiveJob, error) {
	found, err := c.unmarkRecord(ctx, framework, api.MetadataOnly, nil)
	if err != nil {
		return nil, err
	}
	in := newInventory(c.options.Now())
	in.withoutDrift = true // the next refresh compares
	in.frameworks[framework] = b.framework
	if b.record.Creating = false; found {
		in.records[framework] = b.record
	}
	return in.job(framework)
}

// unmarkRecord removes the creation mark from a record. found is false if the
// record does not exist. If into is not nil, it receives the updated record.
func (c *Cluster) unmarkRecord(ctx context.Context, framework, accept string, into *recordObject) (found bool, err error) {
	name := contract.RecordConfigMap(framework)
	mark := map[string]any{"metadata": map[string]any{"annotations": map[string]any{contract.AnnotationCreating: nil}}}
	r := api.Request{
		Method: http.MethodPatch, Path: api.ConfigMaps.Path(c.namespace, name), ContentType: api.TypeMerge, Accept: accept,
		Query: url.Values{"fieldManager": {api.FieldManager}}, Body: mark, What: "change ConfigMap " + name,
	}
	if into == nil {
		err = c.do(ctx, r, nil)
	} else {
		err = c.do(ctx, r, into)
	}
	if api.IsNotFound(err) {
		return false, nil
	}
	return err == nil, err
}
