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

// HoldCreation implements cluster.Creator with a Lease of the job. Like Lock it
// waits until a Lease ends whose holder was killed.
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

// FinishCreation implements cluster.Creator: the request that removes the mark
// takes the place of the one that Find reads the record with. What was applied is
// not read.
func (c *Cluster) FinishCreation(ctx context.Context, framework string) (*planner.LiveJob, error) {
	defer c.forget(framework)
	return c.findWith(ctx, framework, func(ctx context.Context, name string) (*stored, recordObject, error) {
		r, err := c.unmarkRecord(ctx, name)
		return r, recordObject{}, err
	})
}

// unmarkRecord removes the mark of a creation from a record and returns it; nil
// when there is none.
func (c *Cluster) unmarkRecord(ctx context.Context, framework string) (*stored, error) {
	name := contract.RecordConfigMap(framework)
	mark := map[string]any{"metadata": map[string]any{"annotations": map[string]any{contract.AnnotationCreating: nil}}}
	var o recordObject
	err := c.do(ctx, api.Request{
		Method: http.MethodPatch, Path: api.ConfigMaps.Path(c.namespace, name), ContentType: api.TypeMerge,
		Query: url.Values{"fieldManager": {api.FieldManager}}, Body: mark, What: "change ConfigMap " + name,
	}, &o)
	if api.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return readRecord(o)
}
