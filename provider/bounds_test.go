// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// renderedJob is the job rendered from the test workspace.
type renderedJob struct {
	framework *framework.Framework
	spec      *runspec.Spec
}

func (r renderedJob) role() framework.TaskRole { return r.framework.Spec.TaskRoles[0] }

func (r renderedJob) pod() framework.PodSpec { return r.role().Task.Pod.Spec }

func (r renderedJob) limit(name string) string { return r.pod().Containers[0].Resources.Limits[name] }

// integerField describes an integer field of the field table.
type integerField struct {
	// in returns the integer, a pointer to it, or a map with only the integer.
	in func(*hclspec.Workspace) any
	// out returns the rendered value. It is nil if rendering omits or changes
	// the value.
	out func(renderedJob) string
}

func firstRole(ws *hclspec.Workspace) *hclspec.TaskRole { return ws.Jobs[0].TaskRoles[0] }

func prepare(ws *hclspec.Workspace) *hclspec.Prerequisite {
	all := slices.Concat(ws.Jobs[0].Prerequisites, ws.Prerequisites)
	return all[slices.IndexFunc(all, func(p *hclspec.Prerequisite) bool { return p.Name == "prepare" })]
}

// integerFields contains all integer fields of the field table, by path.
var integerFields = map[string]integerField{
	"job.job_retry_count": {
		func(ws *hclspec.Workspace) any { return &ws.Jobs[0].JobRetryCount },
		func(r renderedJob) string { return fmt.Sprint(r.framework.Spec.RetryPolicy.MaxRetryCount) },
	},
	"job.task_role.instances": {
		func(ws *hclspec.Workspace) any { return &firstRole(ws).Instances },
		func(r renderedJob) string { return fmt.Sprint(r.role().TaskNumber) },
	},
	"job.task_role.task_retry_count": {
		func(ws *hclspec.Workspace) any { return &firstRole(ws).TaskRetryCount },
		func(r renderedJob) string { return fmt.Sprint(r.role().Task.RetryPolicy.MaxRetryCount) },
	},
	"job.task_role.completion.min_failed_instances": {
		func(ws *hclspec.Workspace) any { return firstRole(ws).Completion.MinFailedInstances },
		func(r renderedJob) string {
			return fmt.Sprint(r.role().FrameworkAttemptCompletionPolicy.MinFailedTaskCount)
		},
	},
	"job.task_role.completion.min_succeeded_instances": {
		func(ws *hclspec.Workspace) any { return firstRole(ws).Completion.MinSucceededInstances },
		func(r renderedJob) string {
			return fmt.Sprint(r.role().FrameworkAttemptCompletionPolicy.MinSucceededTaskCount)
		},
	},
	"job.task_role.resources.gpu": {
		func(ws *hclspec.Workspace) any { return &firstRole(ws).Resources.GPU },
		func(r renderedJob) string { return fmt.Sprint(r.spec.Roles[0].GPU) },
	},
	"job.task_role.resources.cpu": {
		func(ws *hclspec.Workspace) any { return &firstRole(ws).Resources.CPU },
		func(r renderedJob) string { return r.limit("cpu") },
	},
	"job.task_role.resources.memory_mb": {
		func(ws *hclspec.Workspace) any { return &firstRole(ws).Resources.MemoryMB },
		func(r renderedJob) string { return strings.TrimSuffix(r.limit("memory"), "Mi") },
	},
	"job.task_role.resources.ports": {
		func(ws *hclspec.Workspace) any { return firstRole(ws).Resources.Ports },
		func(r renderedJob) string { return fmt.Sprint(r.spec.Roles[0].Ports[0].Count) },
	},
	"job.task_role.resources.fixed_ports": {
		func(ws *hclspec.Workspace) any { return firstRole(ws).Resources.FixedPorts },
		func(r renderedJob) string { return fmt.Sprint(r.spec.Roles[0].Ports[1].First) },
	},
	"job.task_role.extra_container_options.shm_mb": {
		func(ws *hclspec.Workspace) any { return &firstRole(ws).ExtraContainerOptions.ShmMB },
		func(r renderedJob) string { return fmt.Sprint(r.spec.Roles[0].ShmMB) },
	},
	"job.task_role.pod.run_as_user": {
		func(ws *hclspec.Workspace) any { return firstRole(ws).Pod.RunAsUser },
		func(r renderedJob) string { return fmt.Sprint(*r.pod().SecurityContext.RunAsUser) },
	},
	"prerequisite.retry.attempts": {
		func(ws *hclspec.Workspace) any { return &prepare(ws).Retry.Attempts },
		func(r renderedJob) string { return fmt.Sprint(r.spec.Steps[0].Retry.Attempts) },
	},
	"prerequisite.callback.retry.attempts": {
		func(ws *hclspec.Workspace) any { return &prepare(ws).Callbacks[0].Retry.Attempts },
		func(r renderedJob) string { return fmt.Sprint(r.spec.Steps[0].Callbacks[0].Retry.Attempts) },
	},
	"prerequisite.fetch.strip": {
		func(ws *hclspec.Workspace) any { return &prepare(ws).Fetch[0].Strip },
		func(r renderedJob) string { return fmt.Sprint(r.spec.Steps[0].Fetch[0].Strip) },
	},
	"prerequisite.fetch.retries": {
		func(ws *hclspec.Workspace) any { return &prepare(ws).Fetch[0].Retries },
		func(r renderedJob) string { return fmt.Sprint(r.spec.Steps[0].Fetch[0].Retries) },
	},
	// The planner adds sizes.
	"prerequisite.fetch.size_mb": {in: func(ws *hclspec.Workspace) any { return &prepare(ws).Fetch[0].SizeMB }},
	// OpenPAI computes the number from the resources.
	"job.hived.task_role.sku_num": {in: func(ws *hclspec.Workspace) any { return ws.Jobs[0].Hived.TaskRoles[0].SKUNum }},
	"cluster.runtime.fetch_cache_mb": {
		func(ws *hclspec.Workspace) any { return &ws.Clusters[0].Runtime.FetchCacheMB },
		func(r renderedJob) string {
			for _, e := range r.pod().Containers[0].Env {
				if e.Name == contract.EnvFetchCacheMB {
					return e.Value
				}
			}
			return "0"
		},
	},
	// The planner compares the resources of SKUs with the resources that jobs
	// require.
	"cluster.sku.gpu":               {in: func(ws *hclspec.Workspace) any { return &ws.Clusters[0].SKUs[0].GPU }},
	"cluster.sku.cpu":               {in: func(ws *hclspec.Workspace) any { return &ws.Clusters[0].SKUs[0].CPU }},
	"cluster.sku.memory":            {in: func(ws *hclspec.Workspace) any { return &ws.Clusters[0].SKUs[0].Memory }},
	"cluster.virtual_cluster.quota": {in: func(ws *hclspec.Workspace) any { return ws.Clusters[0].VirtualClusters[0].Quota }},
	"cluster.pod.run_as_user":       {in: func(ws *hclspec.Workspace) any { return ws.Clusters[0].Pod.RunAsUser }},
	"job.pod.run_as_user":           {in: func(ws *hclspec.Workspace) any { return ws.Jobs[0].Pod.RunAsUser }},
}

func (f integerField) get(ws *hclspec.Workspace) int {
	switch v := f.in(ws).(type) {
	case *int:
		return *v
	case map[string]int:
		for _, n := range v {
			return n
		}
	}
	return math.MinInt
}

func (f integerField) set(ws *hclspec.Workspace, n int) {
	switch v := f.in(ws).(type) {
	case *int:
		*v = n
	case map[string]int:
		for key := range v {
			v[key] = n
		}
	}
}

// TestIntegersKeepTheirValueUpToTheirBounds sets values at and just outside the
// bounds in each front end. A value at a bound is rendered unchanged. A value
// outside the bounds is reported as an error at its path.
func TestIntegersKeepTheirValueUpToTheirBounds(t *testing.T) {
	t.Parallel()
	described := integersOfTable()
	for path, f := range integerFields {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			field := described[path]
			if field == nil {
				t.Fatal("the field table has no such integer")
			}
			for name, read := range integerFrontEnds(path, field) {
				for _, n := range []int{*field.Min, *field.Max} {
					f.inRange(t, name, read, n)
				}
				for _, n := range []int{*field.Min - 1, *field.Max + 1, math.MaxUint32 - 1} {
					f.outOfRange(t, name, read, n)
				}
			}
		})
	}
	for path := range described {
		if _, tested := integerFields[path]; !tested {
			t.Errorf("%s is not tested", path)
		}
	}
}

func (f integerField) inRange(t *testing.T, name string, read frontEnd, n int) {
	t.Helper()
	ws := boundsWorkspace()
	f.set(ws, n)
	ws, diags := read(ws)
	if diags.HasErrors() || f.get(ws) != n {
		t.Errorf("%s: %d is read as %d: %v", name, n, f.get(ws), diags)
		return
	}
	if f.out == nil {
		return
	}
	job, _ := resolve.One(resolve.Input{Workspace: ws, User: "alice"}, ws.Jobs[0])
	manifest, diags := render.Objects(job, render.ClusterTarget(ws, "gpu"))
	if diags.HasErrors() {
		t.Errorf("%s: %d: %v", name, n, diags)
		return
	}
	got := f.out(renderedJob{manifest.Framework, render.RunSpec(job, job.TaskRoles[0])})
	if got != strconv.Itoa(n) {
		t.Errorf("%s: %d is rendered as %s", name, n, got)
	}
}

func (f integerField) outOfRange(t *testing.T, name string, read frontEnd, n int) {
	t.Helper()
	ws := boundsWorkspace()
	f.set(ws, n)
	_, diags := read(ws)
	for _, d := range diags {
		if hclspec.Code(d) == hclspec.ValueOutOfRange.Code && d.Subject != nil && d.Subject.Filename != "" {
			return
		}
	}
	t.Errorf("%s: %d causes no error at its path: %v", name, n, diags)
}

// frontEnd writes a workspace in a syntax and reads it back.
type frontEnd func(*hclspec.Workspace) (*hclspec.Workspace, hcl.Diagnostics)

func integerFrontEnds(path string, f *hclspec.Field) map[string]frontEnd {
	all := map[string]frontEnd{"HCL": throughHCL, "Terraform": throughTerraform}
	if strings.HasPrefix(path, "cluster.") {
		all["Terraform"] = throughProviderBlock
	}
	if f.Protocol != "" {
		all["YAML"] = throughYAML
	}
	return all
}

func throughHCL(ws *hclspec.Workspace) (*hclspec.Workspace, hcl.Diagnostics) {
	const name = "w.pai.hcl"
	return syntax.Decode(syntax.Input{Files: map[string][]byte{name: syntax.Write(ws, syntax.WriteOptions{})}})
}

func throughYAML(ws *hclspec.Workspace) (*hclspec.Workspace, hcl.Diagnostics) {
	text, _ := protocol.Write(ws.Jobs[0], protocol.WriteOptions{Workspace: ws})
	file, diags := protocol.Parse("job.yaml", text)
	file.Job.Cluster = "gpu"
	ws.Jobs[0] = file.Job
	return ws, diags
}

func throughTerraform(ws *hclspec.Workspace) (*hclspec.Workspace, hcl.Diagnostics) {
	v, err := shape.Value(jobObject.Encode(ws.Jobs[0]), jobObject.Type())
	if err != nil {
		panic(err)
	}
	d := declareJob(&settings{User: "alice", Workspace: "w", Cluster: ws.Clusters[0]}, v, tftypes.Value{})
	return d.workspace, d.Diags
}

// throughProviderBlock writes the cluster block as the provider's kubernetes
// block.
func throughProviderBlock(ws *hclspec.Workspace) (*hclspec.Workspace, hcl.Diagnostics) {
	tree := clusterObject.Encode(ws.Clusters[0])
	maps.Copy(tree, runtimeObject.Encode(&ws.Clusters[0].Runtime))
	attributes := maps.Clone(clusterObject.Type().AttributeTypes)
	maps.Copy(attributes, runtimeObject.Type().AttributeTypes)
	v, err := shape.Value(tree, tftypes.Object{AttributeTypes: attributes})
	if err != nil {
		panic(err)
	}
	d := decodeCluster(v)
	diags := d.diagnostics()
	d.cluster.Name = ws.Clusters[0].Name
	ws.Clusters = []*hclspec.Cluster{d.cluster}
	return ws, diags
}

// integersOfTable returns the integer fields of jobs and clusters.
func integersOfTable() map[string]*hclspec.Field {
	found := map[string]*hclspec.Field{}
	var visit func(*hclspec.Block, string)
	visit = func(b *hclspec.Block, path string) {
		for i := range b.Fields {
			f := &b.Fields[i]
			switch {
			case f.Block != nil && !slices.Contains(hclspec.RootBlocks, f.Block):
				visit(f.Block, path+"."+f.Name)
			case f.Kind == hclspec.Int || f.Kind == hclspec.OptionalInt || f.Kind == hclspec.IntMap:
				found[path+"."+f.Name] = f
			}
		}
	}
	for _, b := range hclspec.RootBlocks {
		visit(b, b.Name)
	}
	return found
}

// boundsWorkspace returns a workspace with a job that has every integer field.
func boundsWorkspace() *hclspec.Workspace {
	job := &hclspec.Job{
		Label: "j", Name: "j", Path: "job.j", Cluster: "gpu", Syntax: hclspec.SyntaxProtocol,
		JobSettings:  hclspec.JobSettings{VirtualCluster: "default"}, // tasks are retried only without gang allocation
		JobLifecycle: hclspec.JobLifecycle{Rerun: "never"},
		Prerequisites: []*hclspec.Prerequisite{
			{Type: "dockerimage", Name: "image", URI: []string{"debian:12"}, Path: `job.j.prerequisite["dockerimage"]["image"]`},
			{
				Type: "script", Name: "prepare", Path: `job.j.prerequisite["script"]["prepare"]`,
				Retry:     &hclspec.Retry{Attempts: 1},
				Callbacks: []*hclspec.Callback{{Event: "taskStarts", Commands: []string{"true"}, Retry: &hclspec.Retry{Attempts: 1}, Path: `job.j.prerequisite["script"]["prepare"].callback["taskStarts"]`}},
				Fetch:     []*hclspec.Fetch{{URL: "https://example.org/a.tar", To: "/data", Extract: true}},
			},
		},
		Pod:   &hclspec.Pod{RunAsUser: new(1)},
		Hived: &hclspec.Hived{JobPriorityClass: "test", TaskRoles: []*hclspec.HivedTaskRole{{Name: "worker", SKUNum: new(1), Path: `job.j.hived.task_role["worker"]`}}},
		TaskRoles: []*hclspec.TaskRole{{
			Name: "worker", Path: `job.j.task_role["worker"]`, Instances: 1, Commands: []string{"true"},
			Image:         hclspec.Reference{Target: "image"},
			Prerequisites: []hclspec.Reference{{Target: "prepare"}},
			Completion:    hclspec.Completion{MinFailedInstances: new(1), MinSucceededInstances: new(1)},
			Resources:     hclspec.Resources{Limits: hclspec.Limits{CPU: 1, MemoryMB: math.MaxInt32}, Ports: map[string]int{"data": 1}, FixedPorts: map[string]int{"http": 1}},
			Pod:           &hclspec.Pod{RunAsUser: new(1)},
		}},
	}
	cluster := &hclspec.Cluster{
		Name: "gpu", Path: "cluster.gpu", Namespace: "jobs", Profile: "standard", PodSecurity: "baseline",
		Pod:             &hclspec.Pod{RunAsUser: new(1)},
		Runtime:         hclspec.ClusterRuntime{Image: "registry.example.org/runtime:1", FetchCache: "/var/cache/fetch"},
		SKUs:            []*hclspec.SKU{{Name: "K80", Path: "cluster.gpu.sku.K80", GPU: 1, CPU: 1, Memory: 1}},
		VirtualClusters: []*hclspec.VirtualCluster{{Name: "default", Path: "cluster.gpu.virtual_cluster.default", Quota: map[string]int{"K80": 1}}},
	}
	return &hclspec.Workspace{Name: "w", Clusters: []*hclspec.Cluster{cluster}, Jobs: []*hclspec.Job{job}}
}
