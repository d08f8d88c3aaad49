// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

// Create implements cluster.Cluster.
func (c *Cluster) Create(ctx context.Context, s cluster.Submission) error {
	d, err := c.dependents(withSecrets(s))
	if err != nil {
		return err
	}
	class := c.priorityClass(s)
	if err := c.preflight(ctx, d, class); err != nil {
		return err
	}
	sent := normalSpec(d.manifest.Framework.Spec)
	fw, err := c.createOrResume(ctx, d.manifest.Framework, sent)
	if err != nil {
		return err
	}
	d.setOwner(fw.Metadata.UID)
	r := c.newRecord(s, d, sent)
	if r.Run, err = s.BeginRun(ctx, fw.Metadata.UID); err != nil {
		return err
	}
	storages := func() error { return c.applyStorages(ctx, d.manifest) }
	save := func() error { return c.saveRecord(ctx, r) }
	if err := c.applyOwned(ctx, d, true, storages, save); err != nil {
		return err
	}
	if err := c.makePriorityClass(ctx, class); err != nil {
		return err
	}
	c.forget(s.Job.Framework)
	started, err := c.start(ctx, fw)
	if err == nil && s.Creating {
		c.began(s.Job.Framework, &begun{started, r})
	}
	return err
}

// withSecrets returns the submission with a non-nil map of secrets.
func withSecrets(s cluster.Submission) cluster.Submission {
	if s.Secrets == nil {
		s.Secrets = map[string]string{}
	}
	return s
}

// createOrResume creates the Framework but does not start it. It returns an
// existing Framework that an earlier call created for the same job. It first
// removes an earlier Framework that is being deleted, or that differs and was
// not started.
func (c *Cluster) createOrResume(ctx context.Context, wanted *framework.Framework, sent map[string]any) (*framework.Framework, error) {
	first := *wanted
	first.Spec.ExecutionType = framework.ExecutionCreate
	for {
		fw, err := c.post(ctx, &first)
		if !apierrors.IsAlreadyExists(err) {
			return fw, err
		}
		fw, err = c.framework(ctx, first.Metadata.Name)
		if api.IsNotFound(err) {
			continue // deleted in the meantime
		}
		if err != nil {
			return nil, err
		}
		usable, err := c.resumable(fw, &first, sent)
		if usable || err != nil {
			return fw, err
		}
		if err := c.removeFramework(ctx, fw.Metadata); err != nil {
			return nil, err
		}
	}
}

// post creates a Framework and returns it with the metadata that the API server
// added.
func (c *Cluster) post(ctx context.Context, fw *framework.Framework) (*framework.Framework, error) {
	made := framework.Framework{Spec: fw.Spec}
	err := c.do(ctx, api.Request{
		Method: http.MethodPost, Path: api.Frameworks.Path(c.namespace, ""), ContentType: api.TypeJSON, Accept: api.MetadataOnly, Body: fw,
		Query: url.Values{"fieldManager": {api.FieldManager}, "fieldValidation": {"Strict"}},
		What:  "create Framework " + fw.Metadata.Name,
	}, &struct {
		Metadata *framework.ObjectMeta `json:"metadata"`
	}{&made.Metadata})
	return &made, err
}

// resumable reports whether Create can continue with an existing Framework.
func (c *Cluster) resumable(fw, wanted *framework.Framework, sent map[string]any) (bool, error) {
	a, w := fw.Metadata.Annotations, wanted.Metadata.Annotations
	if a[contract.KeyWorkspace] != w[contract.KeyWorkspace] || a[contract.KeyAddress] != w[contract.KeyAddress] {
		return false, &ForeignError{Object: "Framework " + fw.Metadata.Name, Owner: describeOwner(fw.Metadata)}
	}
	same := len(cluster.DriftOf("", "", sent, normalSpec(fw.Spec))) == 0
	switch {
	case fw.Metadata.DeletionTimestamp != nil:
		return false, nil
	case fw.Spec.ExecutionType == framework.ExecutionCreate:
		return same, nil
	case same && fw.Spec.ExecutionType == framework.ExecutionStart:
		return true, nil // already started: only the response was lost
	}
	return false, fmt.Errorf("create Framework %s: it already exists and runs with different content; plan again", fw.Metadata.Name)
}

// describeOwner returns the owner of an object. If openpai created the
// object, the address of the job precedes the owner.
func describeOwner(meta framework.ObjectMeta) string {
	if address := meta.Annotations[contract.KeyAddress]; address != "" {
		return address + " of " + owner(meta)
	}
	return owner(meta)
}

func (c *Cluster) framework(ctx context.Context, name string) (*framework.Framework, error) {
	var fw framework.Framework
	if err := c.get(ctx, api.Frameworks, name, &fw); err != nil {
		return nil, err
	}
	return &fw, nil
}

// start starts a created Framework. It returns nil if another request has
// already started the Framework. If the response to a patch is lost, the test
// operation of the retried patch fails. In this case, start reads the state
// of the Framework.
func (c *Cluster) start(ctx context.Context, fw *framework.Framework) (*liveFramework, error) {
	if fw.Spec.ExecutionType != framework.ExecutionCreate {
		return nil, nil
	}
	var started liveFramework
	err := c.patchedFramework(ctx, fw.Metadata.Name, "start", []operation{
		test("/metadata/uid", fw.Metadata.UID),
		test("/spec/executionType", framework.ExecutionCreate),
		replace("/spec/executionType", framework.ExecutionStart),
	}, &started)
	if err == nil {
		return &started, nil
	}
	if !apierrors.IsInvalid(err) {
		return nil, err
	}
	now, readErr := c.framework(ctx, fw.Metadata.Name)
	if readErr != nil {
		return nil, errors.Join(err, readErr)
	}
	if now.Metadata.UID == fw.Metadata.UID && now.Spec.ExecutionType != framework.ExecutionCreate {
		return nil, nil
	}
	return nil, err
}
