// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/runtime"
)

// namespace is the namespace of each Framework. Tasks receive it in their
// environment.
const namespace = "default"

// Create implements cluster.Cluster. It writes the record, then the Framework
// without the permission to start, then the dependent files, and then the permission
// to start. Then it starts the supervisor. If the command is killed at any point,
// the next Create resumes from there.
func (c *Cluster) Create(ctx context.Context, s cluster.Submission) error {
	release, err := c.acquire()
	if err != nil {
		return err
	}
	defer release()
	o, err := c.object(s.Job.Framework)
	if err != nil {
		return err
	}
	begun, err := c.findBegun(ctx, o, s)
	if err != nil {
		return err
	}
	if begun == nil || begun.Spec.ExecutionType == framework.ExecutionCreate {
		if err := c.submit(ctx, o, s, begun); err != nil {
			return errors.Join(err, c.undo(o))
		}
	} else if err := c.renew(ctx, o, s, begun); err != nil {
		return err
	}
	if err := c.supervise(ctx, o); err != nil {
		return err
	}
	return c.layout.PrunePrograms(c.options.Now())
}

// findBegun returns the Framework of an earlier call to Create for the same
// job, or nil. If a deletion is incomplete, findBegun finishes the deletion
// and returns nil.
func (c *Cluster) findBegun(ctx context.Context, o store.Object, s cluster.Submission) (*framework.Framework, error) {
	r, err := c.layout.LoadRecord(o.Name)
	if err != nil {
		return nil, err
	}
	if r != nil && !r.BelongsTo(s.Job) {
		return nil, fmt.Errorf("create Framework %s: it already belongs to %s of workspace %s", o.Name, r.Address, r.Workspace)
	}
	fw, _, err := o.Load()
	if errors.Is(err, cluster.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if fw.Metadata.DeletionTimestamp != nil {
		return nil, c.remove(ctx, o)
	}
	if fw.Spec.ExecutionType != framework.ExecutionCreate && (r == nil || r.Hash != s.Hash) {
		return nil, fmt.Errorf("create Framework %s: it already exists with different content", o.Name)
	}
	return fw, nil
}

// submit writes all files, and then permits the job to start. begun is the
// Framework of an unfinished Create, or nil; submit keeps its UID and
// creation time.
func (c *Cluster) submit(ctx context.Context, o store.Object, s cluster.Submission, begun *framework.Framework) error {
	d, err := c.dependents(s)
	if err != nil {
		return err
	}
	fw := d.manifest.Framework
	fw.Spec.ExecutionType = framework.ExecutionCreate
	if begun != nil {
		fw.Metadata.UID, fw.Metadata.CreationTimestamp = begun.Metadata.UID, begun.Metadata.CreationTimestamp
	} else {
		now := c.options.Now()
		fw.Metadata.UID, fw.Metadata.CreationTimestamp = newUID(c.options.Random), &now
	}
	r := store.NewRecord(s, *fw.Metadata.CreationTimestamp)
	if err := c.layout.SaveRecord(r); err != nil {
		return err
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return fmt.Errorf("create the directory of Framework %s: %w", o.Name, err)
	}
	if err := o.SaveSpec(fw); err != nil {
		return err
	}
	if r.Run, err = s.BeginRun(ctx, fw.Metadata.UID); err != nil {
		return err
	}
	if err := c.layout.SaveRecord(r); err != nil {
		return err
	}
	if err := c.saveDependents(o, s, d); err != nil {
		return err
	}
	if err := o.SaveSent(); err != nil {
		return err
	}
	return o.Edit(func(fw *framework.Framework) {
		if fw.Spec.ExecutionType == framework.ExecutionCreate {
			fw.Spec.ExecutionType = framework.ExecutionStart
		}
	})
}

// renew replaces all files that are required to start tasks, because existing
// files may be from another submission. It does nothing if the Framework has
// a supervisor. renew does not change the Framework's identity, status or
// stop requests.
func (c *Cluster) renew(ctx context.Context, o store.Object, s cluster.Submission, fw *framework.Framework) error {
	if needed, err := o.LacksSupervisor(ctx, fw); err != nil || !needed {
		return err
	}
	d, err := c.dependents(s)
	if err != nil {
		return err
	}
	if err := c.saveDependents(o, s, d); err != nil {
		return err
	}
	if err := o.Edit(func(fw *framework.Framework) { replace(fw, d.manifest.Framework) }); err != nil {
		return err
	}
	return o.SaveSent()
}

// replace copies all fields of the wanted Framework to fw, except the
// identity, the status and requests.
func replace(fw, wanted *framework.Framework) {
	execution := framework.ExecutionStart
	if fw.Spec.ExecutionType == framework.ExecutionStop {
		execution = framework.ExecutionStop
	}
	fw.APIVersion, fw.Kind = wanted.APIVersion, wanted.Kind
	fw.Metadata.Labels, fw.Metadata.Annotations = wanted.Metadata.Labels, wanted.Metadata.Annotations
	fw.Spec = wanted.Spec
	fw.Spec.ExecutionType = execution
}

// dependents are the objects that a job needs on the local machine.
type dependents struct {
	manifest *render.Manifest
	binding  *store.Binding
}

// dependents returns the objects that a job needs. It fails if the job cannot
// run on this machine. Callers therefore call dependents before they write
// the first file.
func (c *Cluster) dependents(s cluster.Submission) (*dependents, error) {
	b, err := c.bind(s.Job)
	if err != nil {
		return nil, err
	}
	return &dependents{inNamespace(s.Manifest), b}, nil
}

// saveDependents writes the files that tasks need. It keeps the stored values of
// secrets if the submission contains no values.
func (c *Cluster) saveDependents(o store.Object, s cluster.Submission, d *dependents) error {
	if err := o.SaveConfigMaps(d.manifest.ConfigMaps); err != nil {
		return err
	}
	if err := store.WriteJSON(o.BindingFile(), d.binding); err != nil {
		return err
	}
	if s.Secrets == nil {
		return nil
	}
	return c.layout.SaveSecrets(o.Name, s.Secrets)
}

// bind resolves the storages of a job to local directories.
func (c *Cluster) bind(job *resolve.Job) (*store.Binding, error) {
	b := &store.Binding{Mounts: map[string][]store.Mount{}, MinDelay: c.options.MinRetryDelay, MaxDelay: c.options.MaxRetryDelay}
	for _, role := range job.TaskRoles {
		found, err := mounts(c.dir, role)
		if err != nil {
			return nil, err
		}
		for i, m := range found {
			if !m.InPlace() && !task.CanMount() && writesPath(role, role.Mounts[i].Path) {
				return nil, fmt.Errorf("mount storage %s at %s: this machine does not support private mounts, and task role %s uses the path; use $%s instead of the path",
					m.Storage, m.Target, role.Name, runtime.StorageVariable(m.Storage))
			}
		}
		b.Mounts[role.FrameworkName] = found
	}
	return b, nil
}

// inNamespace returns a copy of the manifest whose objects are in the namespace
// for local tasks.
func inNamespace(m *render.Manifest) *render.Manifest {
	fw := *m.Framework
	fw.Metadata.Namespace = namespace
	placed := &render.Manifest{Framework: &fw}
	for _, o := range m.ConfigMaps {
		configMap := *o
		configMap.Metadata.Namespace = namespace
		placed.ConfigMaps = append(placed.ConfigMaps, &configMap)
	}
	return placed
}

// newUID returns a random UUID (version 4), like Kubernetes. It panics if the source
// of randomness fails. The system's source of randomness never fails.
func newUID(random io.Reader) string {
	var b [16]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		panic("local: no randomness: " + err.Error())
	}
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:16])
}
