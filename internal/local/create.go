package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/runtime"
)

// namespace is what tasks see as their Framework's namespace.
const namespace = "default"

// Create implements cluster.Cluster. The order makes it safe to be killed
// anywhere: the record, which names the job; the Framework, which must not
// start yet; what it needs; the permission to start; the supervisor. The next
// Create goes on from whatever it finds.
func (c *Cluster) Create(ctx context.Context, s cluster.Submission) error {
	release, err := c.hold()
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
		if err := c.submit(o, s, begun); err != nil {
			return errors.Join(err, c.undo(o))
		}
	}
	if err := c.supervise(ctx, o); err != nil {
		return err
	}
	return c.layout.prunePrograms(c.options.Now())
}

// findBegun returns the Framework that an earlier Create of the same job left,
// or nil. What is left of a deletion is deleted first.
func (c *Cluster) findBegun(ctx context.Context, o object, s cluster.Submission) (*framework.Framework, error) {
	r, err := c.layout.loadRecord(o.name)
	if err != nil {
		return nil, err
	}
	if r != nil && !r.belongsTo(s.Job) {
		return nil, fmt.Errorf("create Framework %s: it is %s of workspace %s", o.name, r.Address, r.Workspace)
	}
	fw, _, err := o.load()
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
		return nil, fmt.Errorf("create Framework %s: it exists already, with other content", o.name)
	}
	return fw, nil
}

// submit writes everything of a job and permits it to start. A Framework that
// was begun keeps its identity.
func (c *Cluster) submit(o object, s cluster.Submission, begun *framework.Framework) error {
	d, err := c.dependants(s)
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
	if err := c.layout.saveRecord(newRecord(s, *fw.Metadata.CreationTimestamp)); err != nil {
		return err
	}
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return fmt.Errorf("make the directory of Framework %s: %w", o.name, err)
	}
	if err := o.saveSpec(fw); err != nil {
		return err
	}
	if err := c.saveDependants(o, s, d); err != nil {
		return err
	}
	return o.edit(func(fw *framework.Framework) {
		if fw.Spec.ExecutionType == framework.ExecutionCreate {
			fw.Spec.ExecutionType = framework.ExecutionStart
		}
	})
}

// dependants are what a job becomes on this machine.
type dependants struct {
	manifest *render.Manifest
	binding  *binding
}

// dependants makes everything that is written for a job, so that one that
// cannot run here fails before anything is.
func (c *Cluster) dependants(s cluster.Submission) (*dependants, error) {
	m, err := renderJob(s.Job)
	if err != nil {
		return nil, err
	}
	b, err := c.bind(s.Job)
	if err != nil {
		return nil, err
	}
	return &dependants{m, b}, nil
}

// saveDependants writes what the Framework's tasks need. Values of secrets
// that are not given stay as they are.
func (c *Cluster) saveDependants(o object, s cluster.Submission, d *dependants) error {
	if err := o.saveConfigMaps(d.manifest.ConfigMaps); err != nil {
		return err
	}
	if err := writeJSON(o.bindingFile(), d.binding); err != nil {
		return err
	}
	if s.Secrets == nil {
		return nil
	}
	return c.layout.saveSecrets(o.name, s.Secrets)
}

// bind finds the storages of a job on this machine.
func (c *Cluster) bind(job *resolve.Job) (*binding, error) {
	b := &binding{Mounts: map[string][]mount{}, MinDelay: c.options.MinRetryDelay, MaxDelay: c.options.MaxRetryDelay}
	for _, role := range job.TaskRoles {
		found, err := mounts(c.dir, role)
		if err != nil {
			return nil, err
		}
		for i, m := range found {
			if !m.inPlace() && !CanMount() && writesPath(role, role.Mounts[i].Path) {
				return nil, fmt.Errorf("mount storage %s at %s: this machine permits no private mounts, and commands of task role %s write the path; use $%s",
					m.Storage, m.Target, role.Name, runtime.StorageVariable(m.Storage))
			}
		}
		b.Mounts[role.FrameworkName] = found
	}
	return b, nil
}

// renderJob renders a job for this machine. Its findings were reported by the
// plan; here they are what stops the apply.
func renderJob(job *resolve.Job) (*render.Manifest, error) {
	m, diags := render.Objects(job, render.Target{Local: true, Namespace: namespace})
	if !diags.HasErrors() {
		return m, nil
	}
	var texts []string
	for _, d := range hclspec.Sort(diags) {
		texts = append(texts, d.Summary+": "+d.Detail)
	}
	return nil, fmt.Errorf("render %s: %s", job.Address, strings.Join(texts, "; "))
}
