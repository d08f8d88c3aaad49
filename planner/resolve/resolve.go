package resolve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// LocalCluster is the name of the embedded cluster.
const LocalCluster = "local"

// All resolves every job of a workspace, in order. Findings are sorted by
// position. A job with errors is in the result as far as it could be
// resolved, for display and further checks; it must not be applied.
func All(in Input) ([]*Job, hcl.Diagnostics) {
	var diags hcl.Diagnostics
	scope := newScope(in.Workspace)
	jobs := make([]*Job, 0, len(in.Workspace.Jobs))
	for _, declared := range in.Workspace.Jobs {
		job, found := one(in, scope, declared)
		jobs = append(jobs, job)
		diags = append(diags, found...)
	}
	rest := newResolver(in, scope, &hclspec.Job{Syntax: hclspec.SyntaxHCL})
	rest.checkUnused(scope)
	return jobs, hclspec.Sort(append(diags, rest.diags...))
}

// One resolves one job of the workspace, as [All] does. Prerequisites of the
// workspace that this job does not use are not checked.
func One(in Input, job *hclspec.Job) (*Job, hcl.Diagnostics) {
	return one(in, newScope(in.Workspace), job)
}

func one(in Input, workspace *scope, declared *hclspec.Job) (*Job, hcl.Diagnostics) {
	r := newResolver(in, workspace.forJob(declared, in.Workspace), declared)
	job := r.resolve()
	r.checkUnused(r.scope)
	return job, hclspec.Sort(r.diags)
}

func newResolver(in Input, s *scope, job *hclspec.Job) *resolver {
	return &resolver{
		in: in, ws: in.Workspace, job: job, scope: s,
		strict: job.Syntax == hclspec.SyntaxHCL || job.Syntax == hclspec.SyntaxTerraform,
		items:  map[string]answer{}, secrets: map[string]bool{},
	}
}

// resolver resolves one job and collects findings. It goes on after each, with
// something harmless in the place of what is wrong.
type resolver struct {
	in  Input
	ws  *hclspec.Workspace
	job *hclspec.Job
	// strict makes unresolved references errors.
	strict  bool
	scope   *scope
	cluster *hclspec.Cluster // nil: local
	user    string
	items   map[string]answer // by reference
	secrets map[string]bool   // used anywhere in the job
	grown   int               // bytes of texts that were filled in, see grow
	at      hcl.Range         // of the text that is being rendered
	unused  bool              // definitions are checked that no role uses
	diags   hcl.Diagnostics
}

// report adds a finding about a value of this workspace.
func (r *resolver) report(e *hclspec.Entry, path hclspec.Path, format string, args ...any) {
	r.reportAt(e, r.ws.Sources.Range(path), format, args...)
}

func (r *resolver) reportAt(e *hclspec.Entry, rng hcl.Range, format string, args ...any) {
	r.diags = append(r.diags, e.At(rng, format, args...))
}

func (r *resolver) resolve() *Job {
	d := r.job
	name := d.Name
	if name == "" {
		name = d.Label
	}
	cluster := r.findCluster()
	r.user = r.in.User
	if r.cluster != nil && r.cluster.User != "" {
		r.user = r.cluster.User
	}
	job := &Job{
		Address: d.Address(), Name: name, Framework: contract.FrameworkName(r.user, name),
		User: r.user, Workspace: r.ws.Name, Cluster: cluster,
		Description: d.Description, Contributor: d.Contributor, Version: d.Version,
		VirtualCluster: orDefault(d.VirtualCluster, "default"), JobRetryCount: d.JobRetryCount, GangAllocation: d.GangAllocation,
		Deployment: d.DefaultDeployment, Notification: notification(d.Notification), Pod: withoutPath(d.Pod),
		SSHPublicKeys: slices.Clone(d.SSHPublicKeys), Extras: d.Extras, Parameters: d.Parameters,
		MaxWaitSeconds: r.maxWait(), StopGraceSeconds: seconds(d.StopGrace, defaultStopGrace),
		Rerun: orDefault(d.Rerun, "never"), Rescale: d.Rescale, PreventDestroy: d.PreventDestroy,
		Declared: d,
	}
	r.checkPluginRoles()
	r.checkDefaultStorages()
	deployment := r.deployment()
	names := r.frameworkNames()
	for i, role := range d.TaskRoles {
		job.TaskRoles = append(job.TaskRoles, r.taskRole(role, names[i], deployment))
	}
	job.Hived = r.hived(job)
	job.Secrets = r.usedSecrets()
	return job
}

// findCluster returns the name of the job's cluster and keeps its block.
func (r *resolver) findCluster() string {
	name := clusterName(r.job.Cluster)
	r.cluster = r.ws.Cluster(name)
	if r.cluster == nil && name != LocalCluster {
		known := []string{LocalCluster}
		for _, c := range r.ws.Clusters {
			known = append(known, c.Name)
		}
		r.report(hclspec.UnknownCluster, r.job.Path.Attr("cluster"),
			"%s runs on the cluster %q, which no cluster block declares.%s", r.job.Address(), name, hclspec.Suggest(name, known))
	}
	return name
}

func clusterName(written string) string {
	if parts := addressParts(written); len(parts) == 2 && parts[0] == "cluster" {
		return parts[1]
	}
	return orDefault(written, LocalCluster)
}

// deployment returns the active deployment, or nil.
func (r *resolver) deployment() *hclspec.Deployment {
	if r.job.DefaultDeployment == "" {
		return nil
	}
	var known []string
	for _, d := range r.job.Deployments {
		if d.Name == r.job.DefaultDeployment {
			return d
		}
		known = append(known, d.Name)
	}
	r.report(hclspec.UnknownDeployment, r.job.Path.Attr("default_deployment"),
		"%s activates the deployment %q, but it declares %s.%s",
		r.job.Address(), r.job.DefaultDeployment, listOr(known, "none"), hclspec.Suggest(r.job.DefaultDeployment, known))
	return nil
}

func (r *resolver) maxWait() int {
	if r.job.MaxWaitTime == 0 && r.cluster != nil {
		return seconds(r.cluster.MaxWaitTime, defaultMaxWait)
	}
	return seconds(r.job.MaxWaitTime, defaultMaxWait)
}

func notification(n *hclspec.Notification) map[string]bool {
	if n == nil {
		return nil
	}
	return map[string]bool{"running": n.Running, "succeeded": n.Succeeded, "stopped": n.Stopped, "failed": n.Failed, "retried": n.Retried}
}

// withoutPath copies Pod settings without the place they were written at,
// which is not part of the job's content.
func withoutPath(p *hclspec.Pod) *hclspec.Pod {
	if p == nil {
		return nil
	}
	pod := *p
	pod.Path = ""
	return &pod
}

func orDefault(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// listOr quotes names for a sentence.
func listOr(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	if more := len(names) - maxListed; more > 0 {
		return fmt.Sprintf(`"%s" and %d more`, strings.Join(names[:maxListed], `", "`), more)
	}
	return `"` + strings.Join(names, `", "`) + `"`
}

// maxListed is how many known names a message lists.
const maxListed = 30
