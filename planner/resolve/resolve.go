// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// LocalCluster is the name of the embedded cluster.
const LocalCluster = "local"

// All resolves every job of a workspace, in declaration order. The
// diagnostics are sorted by position. For display and other checks, the
// result includes partly resolved jobs with errors. Callers must not apply
// such jobs.
func All(in Input) ([]*Job, hcl.Diagnostics) {
	var diags hcl.Diagnostics
	scope := newScope(in.Workspace)
	jobs := make([]*Job, 0, len(in.Workspace.Jobs))
	for _, declared := range in.Workspace.Jobs {
		job, found := one(in, scope, declared)
		jobs = append(jobs, job)
		diags = append(diags, found...)
	}
	rest := newReporter(in, &hclspec.Job{Syntax: hclspec.SyntaxHCL})
	for _, module := range slices.Sorted(maps.Keys(scope.modules)) {
		rest.checkUnused(scope.modules[module])
	}
	return jobs, hclspec.Sort(append(diags, rest.diags...))
}

// One resolves a single job of the workspace. Unlike [All], it does not check
// workspace prerequisites that the job does not use.
func One(in Input, job *hclspec.Job) (*Job, hcl.Diagnostics) {
	return one(in, newScope(in.Workspace), job)
}

func one(in Input, workspace *scope, declared *hclspec.Job) (*Job, hcl.Diagnostics) {
	r := newResolver(in, workspace.forJob(declared, in.Workspace), declared)
	job := r.resolve()
	r.checkUnused(r.scope)
	found := hclspec.Sort(r.diags)
	for _, d := range found {
		if isPermission(d) {
			job.NotPermitted = append(job.NotPermitted, d)
		}
	}
	return job, found
}

// resolver resolves one job. After an error, it continues with a value that does
// not cause additional errors.
type resolver struct {
	*reporter
	ws    *hclspec.Workspace
	job   *hclspec.Job
	scope *scope
	// definitions looks up the targets of references.
	definitions *definitions
	// native is set for jobs that are written in HCL or Terraform. Such jobs
	// can refer to images directly and must declare their storages.
	native      bool
	clusterName string
	cluster     *hclspec.Cluster // nil for the local cluster
	user        string
	item        *UsedItem       // see [Input.Item]
	secrets     map[string]bool // secrets that any part of the job uses
}

func newResolver(in Input, s *scope, job *hclspec.Job) *resolver {
	r := newReporter(in, job)
	name := clusterName(job.Cluster)
	resolver := &resolver{
		reporter: r, ws: in.Workspace, job: job, scope: s, definitions: newDefinitions(r, in.Items),
		native:      isNative(job),
		clusterName: name, cluster: in.Workspace.Cluster(name), user: in.User, item: in.Item, secrets: map[string]bool{},
	}
	if resolver.cluster != nil {
		resolver.user = cmp.Or(resolver.cluster.User, in.User)
	}
	return resolver
}

func newReporter(in Input, job *hclspec.Job) *reporter {
	return &reporter{job: job.Name, syntax: job.Syntax, sources: in.Workspace.Sources, strict: isNative(job) && !in.Loose}
}

func isNative(job *hclspec.Job) bool {
	return job.Syntax == hclspec.SyntaxHCL || job.Syntax == hclspec.SyntaxTerraform
}

func (r *resolver) resolve() *Job {
	d := r.job
	name := cmp.Or(d.Name, d.Label)
	r.checkCluster()
	job := &Job{
		Address: d.Address(), Name: name, Framework: contract.FrameworkName(r.user, name),
		User: r.user, Workspace: r.ws.Name, Cluster: r.clusterName,
		JobSettings: d.JobSettings, JobInputs: d.JobInputs, JobLifecycle: d.JobLifecycle,
		Deployment: d.DefaultDeployment, Notification: notification(d.Notification), Pod: withoutPath(d.Pod),
		MaxWaitSeconds: r.maxWait(), StopGraceSeconds: seconds(d.StopGrace, defaultStopGrace),
		Declared: d,
	}
	job.VirtualCluster, job.Rerun = cmp.Or(d.VirtualCluster, "default"), cmp.Or(d.Rerun, "never")
	r.checkPluginRoles()
	r.checkDefaultStorages()
	deployment := r.deployment()
	names := r.frameworkNames()
	for i, role := range d.TaskRoles {
		job.TaskRoles = append(job.TaskRoles, r.taskRole(role, names[i], deployment))
	}
	r.checkSSHGang(job)
	job.Hived = r.hived(job)
	job.Secrets = r.usedSecrets()
	job.Items = r.definitions.used(r.item)
	r.localSecrets(job)
	return job
}

func (r *resolver) checkCluster() {
	if r.cluster != nil || r.clusterName == LocalCluster {
		return
	}
	known := []string{LocalCluster}
	for _, c := range r.ws.Clusters {
		known = append(known, c.Name)
	}
	r.report(hclspec.UnknownCluster, r.job.Path.Attr("cluster"),
		"%s runs on the cluster %q, which no cluster block declares.%s", r.job.Address(), r.clusterName, hclspec.Suggest(r.clusterName, known))
}

func clusterName(written string) string {
	if parts := addressParts(written); len(parts) == 2 && parts[0] == "cluster" {
		return parts[1]
	}
	return cmp.Or(written, LocalCluster)
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
		"%s activates the deployment %q, but the job declares %s.%s",
		r.job.Address(), r.job.DefaultDeployment, hclspec.QuoteList(known, "none"), hclspec.Suggest(r.job.DefaultDeployment, known))
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

// withoutPath returns a copy without the path, which is not part of the job's
// content.
func withoutPath(p *hclspec.Pod) *hclspec.Pod {
	if p == nil {
		return nil
	}
	pod := *p
	pod.Path = ""
	return &pod
}

// Input is the input for resolving jobs. It is not modified.
type Input struct {
	Workspace *hclspec.Workspace
	// User is the owner of the jobs, unless the cluster block sets a user.
	User string
	// Items provides the fetched and locked marketplace items; nil for none.
	Items Items
	// Item is the marketplace item that contains all jobs of the workspace, or nil.
	Item *UsedItem
	// Loose keeps references without a value unchanged in all jobs, not only
	// in jobs written for OpenPAI. Callers must not run jobs resolved with
	// Loose.
	Loose bool
}

// Items looks up the marketplace item for a reference. It never fetches
// items, because openpai init has already fetched them.
type Items interface {
	// Item returns the item that a marketplace://, http:// or https:// reference
	// identifies. The error is a sentence without a full stop, such as: the team
	// marketplace has no item "mnist". If the error has a method Entry()
	// *hclspec.Entry, the diagnostic has this catalog entry.
	Item(ref string) (*Item, error)
}

// Item is a prerequisite from a marketplace or URL.
type Item struct {
	Definition *hclspec.Prerequisite
	// Address is a unique identifier of the item, such as
	// marketplace://name/mnist?from=team. All references to the item have the
	// same Address.
	Address string
	// Used is the description of the item for display. The resolver adds the
	// name, type and title of the definition.
	Used UsedItem
	// Siblings maps the names of the other items in the file to references. The
	// require list of this item may use these names.
	Siblings map[string]string
	// Sources contains the positions in the item's own file.
	Sources hclspec.SourceMap
}

// Default times of a job, in seconds. defaultMaxWait is the default timeout of
// OpenPAI's barrier. Source: microsoft/frameworkcontroller:
// bin/frameworkbarrier.
const (
	defaultMaxWait   = 600
	defaultStopGrace = 30
)

// seconds returns a duration in seconds, rounded up. For a zero duration, it
// returns the parameter otherwise.
func seconds(d hclspec.Duration, otherwise int) int {
	if d == 0 {
		return otherwise
	}
	return int((time.Duration(d) + time.Second - 1) / time.Second)
}
