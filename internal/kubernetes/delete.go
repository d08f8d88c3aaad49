// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// Polling intervals while a Framework is being deleted.
const (
	minPollInterval = 50 * time.Millisecond
	maxPollInterval = 2 * time.Second
)

// doomed is the data of a job that is about to be deleted. Objects that do not exist
// are nil.
type doomed struct {
	framework *framework.Framework
	record    *stored
}

// FindToDelete implements cluster.Deleter.
func (c *Cluster) FindToDelete(ctx context.Context, name string) (*planner.LiveJob, error) {
	var found doomed
	job, err := c.findWith(ctx, name, func(ctx context.Context, name string) (*stored, recordObject, error) {
		r, err := c.loadRecord(ctx, name)
		found.record = r
		return r, recordObject{}, err
	}, func(live *liveFramework) (err error) {
		found.framework, err = live.typed()
		return err
	})
	if err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.doomed[name] = &found
	}
	return job, err
}

// toDelete returns the job to delete. It reads the job if the cache does not
// contain the result of FindToDelete.
func (c *Cluster) toDelete(ctx context.Context, name string) (*doomed, error) {
	if found := c.takeDoomed(name); found != nil {
		return found, nil
	}
	r, err := c.loadRecord(ctx, name)
	if err != nil {
		return nil, err
	}
	fw, err := c.framework(ctx, name)
	return &doomed{fw, r}, ignoreNotFound(err)
}

// takeDoomed returns the cached result of FindToDelete, and removes it from
// the cache.
func (c *Cluster) takeDoomed(name string) *doomed {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := c.doomed[name]
	delete(c.doomed, name)
	return found
}

// Delete implements cluster.Cluster. Foreground propagation deletes all Pods
// before the Framework. Delete deletes the record last.
func (c *Cluster) Delete(ctx context.Context, name string) error {
	found, err := c.toDelete(ctx, name)
	if err != nil {
		return err
	}
	fw, r := found.framework, found.record
	switch {
	case fw == nil && r == nil:
		return cluster.NotFound("delete Framework %s: it does not exist and has no record", name)
	case fw != nil:
		if err := c.checkOwner("Framework "+name, fw.Metadata); err != nil {
			return err
		}
		if err := c.clearOutcome(ctx, r); err != nil {
			return err
		}
		if fw.Spec.ExecutionType == framework.ExecutionCreate {
			if err := c.forgetClassNotMade(ctx, r); err != nil {
				return err
			}
		}
		if err := c.removeFramework(ctx, fw.Metadata); err != nil {
			return err
		}
	}
	c.forget(name)
	c.markDeleted()
	if r == nil {
		return nil
	}
	if err := c.checkOwner("ConfigMap "+r.meta.Name, r.meta); err != nil {
		return err
	}
	if err := c.removePriorityClass(ctx, r); err != nil {
		return err
	}
	return c.removeVersion(ctx, api.ConfigMaps, r.meta, "Background")
}

// checkOwner returns an error if the object belongs to a different workspace
// or program.
func (c *Cluster) checkOwner(object string, meta framework.ObjectMeta) error {
	if meta.Annotations[contract.KeyWorkspace] == c.options.Workspace {
		return nil
	}
	return &ForeignError{Object: object, Owner: describeOwner(meta)}
}

// clearOutcome removes the outcome of a finished job from its record.
// Otherwise, apply would treat a partly deleted job as finished and skip it.
func (c *Cluster) clearOutcome(ctx context.Context, r *stored) error {
	if r == nil || !r.State.Finished() {
		return nil
	}
	r.ForgetOutcome()
	return c.saveRecord(ctx, r)
}

// removeFramework deletes a Framework and waits until the Framework no longer
// exists. It does not delete a newer Framework with the same name.
func (c *Cluster) removeFramework(ctx context.Context, meta framework.ObjectMeta) error {
	if meta.DeletionTimestamp == nil {
		if err := c.removeVersion(ctx, api.Frameworks, meta, "Foreground"); err != nil {
			return err
		}
	}
	// The garbage collector takes time, so wait before the first check.
	for pause := minPollInterval; ; pause = min(pause+pause/2, maxPollInterval) {
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the deletion of Framework %s and its Pods: %w", meta.Name, ctx.Err())
		case <-time.After(pause):
		}
		h, err := c.getHeader(ctx, api.Frameworks, meta.Name)
		if err != nil {
			return err
		}
		if h == nil || h.Metadata.UID != meta.UID {
			return nil
		}
	}
}

// Stop implements cluster.Cluster. It does not change a job that has already ended or
// been stopped.
func (c *Cluster) Stop(ctx context.Context, name string) error {
	fw, err := c.framework(ctx, name)
	if api.IsNotFound(err) {
		if st, statusErr := c.statusWithoutFramework(ctx, name); statusErr == nil {
			return cmp.Or(st.StalledError(), err)
		}
	}
	if err != nil {
		return err
	}
	if err := c.checkOwner("Framework "+name, fw.Metadata); err != nil {
		return err
	}
	if fw.Spec.ExecutionType == framework.ExecutionStop || finished(fw) {
		return nil
	}
	err = c.patchFramework(ctx, name, "stop", []operation{
		test("/metadata/uid", fw.Metadata.UID),
		replace("/spec/executionType", framework.ExecutionStop),
	})
	if !apierrors.IsInvalid(err) {
		return err
	}
	now, readErr := c.framework(ctx, name)
	if readErr != nil {
		return errors.Join(err, readErr)
	}
	if now.Metadata.UID != fw.Metadata.UID {
		return fmt.Errorf("stop Framework %s: it was replaced in the meantime; try again", name)
	}
	return err
}

func finished(fw *framework.Framework) bool {
	return fw.Status != nil && fw.Status.State == framework.StateCompleted
}
