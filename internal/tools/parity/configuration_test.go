// SPDX-License-Identifier: MPL-2.0

package parity

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// A tree built with one of these object types matches the provider's schema.
var (
	jobObject          = shape.New(hclspec.JobBlock, false, "cluster", "secret.value").Open([]string{"id", "definition"}, "prerequisites", "reference_prerequisites")
	prerequisiteObject = shape.New(hclspec.PrerequisiteBlock, false)
	storageObject      = shape.New(hclspec.StorageBlock, false)
	clusterObject      = shape.New(hclspec.ClusterBlock, false, "runtime")
	runtimeObject      = shape.New(hclspec.ClusterBlock.Field("runtime").Block, false).Prefixed("runtime_")
)

// configuration converts an HCL workspace to Terraform. The cluster of the jobs
// becomes the provider block, and storages become resources. Prerequisites and
// secrets of the workspace become part of each job. If the workspace has no
// jobs, the prerequisites become resources.
type configuration struct {
	ws  *hclspec.Workspace
	tf  *terraform
	dir string
	// attributes contains attribute values that replace the values computed
	// from the model. They are necessary because the model cannot represent
	// values of the wrong type. nil replaces nothing.
	attributes map[string]any
	// definitions maps addresses to the definitions of the planned storages.
	definitions map[string]string
	// states maps addresses to the states of the jobs.
	states map[hclspec.Address]*state
}

func (c *configuration) run(change func(string, declared, *state) *state) {
	c.definitions = map[string]string{}
	if !c.tf.configure(c.provider()) || !c.storages(change) {
		return
	}
	if len(c.ws.Jobs) == 0 {
		c.prerequisites()
	}
	for _, job := range c.ws.Jobs {
		if after := change("openpai_job", c.job(job), c.states[job.Address()]); after != nil {
			c.states[job.Address()] = after
		}
	}
}

// cluster returns nil for the local cluster.
func (c *configuration) cluster() *hclspec.Cluster {
	for _, job := range c.ws.Jobs {
		for _, declared := range c.ws.Clusters {
			if declared.Name == job.Cluster {
				return declared
			}
		}
	}
	if len(c.ws.Jobs) == 0 && len(c.ws.Clusters) > 0 {
		return c.ws.Clusters[0]
	}
	return nil
}

func (c *configuration) provider() declared {
	written := map[string]any{}
	k := c.cluster()
	if k == nil {
		written["local"] = map[string]any{"directory": c.dir}
	} else {
		block := clusterObject.Encode(k)
		maps.Copy(block, runtimeObject.Encode(&k.Runtime))
		if c.ws.Name != "" {
			block["workspace"] = c.ws.Name
		}
		written["kubernetes"] = block
	}
	return c.tf.declare("", written, c.tf.schema.Provider.ValueType(), func(d *shape.Decoder, v tftypes.Value) {
		if k != nil {
			at, where, block := hclspec.Path(k.Address()), path.Root("kubernetes"), member(v, "kubernetes")
			d.Decode(clusterObject, block, &hclspec.Cluster{}, at, where)
			d.Decode(runtimeObject, block, &hclspec.ClusterRuntime{}, at.Attr("runtime"), where)
		}
	})
}

func member(v tftypes.Value, name string) tftypes.Value {
	var values map[string]tftypes.Value
	if err := v.As(&values); err != nil {
		panic(err)
	}
	return values[name]
}

func (c *configuration) storages(change func(string, declared, *state) *state) bool {
	for _, s := range c.ws.Storages {
		tree := storageObject.Encode(s)
		tree["name"] = s.Name
		r := c.tf.declare(string(s.Address()), tree, c.tf.schema.ResourceSchemas["openpai_storage"].ValueType(), func(d *shape.Decoder, v tftypes.Value) {
			d.Decode(storageObject, v, &hclspec.Storage{}, hclspec.Path(s.Address()), path.Empty())
		})
		after := change("openpai_storage", r, nil)
		if after == nil {
			return false
		}
		var definition string
		if err := member(after.value, "definition").As(&definition); err != nil {
			c.tf.t.Fatal(err)
		}
		c.definitions[string(s.Address())] = definition
	}
	return true
}

func (c *configuration) prerequisites() {
	for _, p := range c.ws.Prerequisites {
		r := c.tf.declare(string(p.Address()), prerequisiteObject.Encode(p), c.tf.schema.ResourceSchemas["openpai_prerequisite"].ValueType(), func(d *shape.Decoder, v tftypes.Value) {
			d.Decode(prerequisiteObject, v, &hclspec.Prerequisite{}, hclspec.Path(p.Address()), path.Empty())
		})
		c.tf.plan("openpai_prerequisite", r, nil)
	}
}

func (c *configuration) job(job *hclspec.Job) declared {
	full := *job
	full.Prerequisites = slices.Concat(job.Prerequisites, c.ws.Prerequisites)
	full.Secrets = slices.Concat(job.Secrets, c.ws.Secrets)
	if full.Name == "" {
		full.Name = job.Label
	}
	tree := jobObject.Encode(&full)
	c.useDefinitions(tree)
	tree["name"] = full.Name
	maps.Copy(tree, c.attributes)
	r := c.tf.declare(string(job.Address()), tree, c.tf.schema.ResourceSchemas["openpai_job"].ValueType(), func(d *shape.Decoder, v tftypes.Value) {
		d.Decode(jobObject, v, &hclspec.Job{}, hclspec.Path(job.Address()), path.Empty())
		d.Places.Put(hclspec.Path(job.Address()).Attr("name"), path.Root("name"))
	})
	c.asWritten(job, full.Prerequisites, r.sources)
	return r
}

// useDefinitions replaces each storage address with the storage's definition.
func (c *configuration) useDefinitions(tree any) {
	switch x := tree.(type) {
	case map[string]any:
		if use, ok := x["use"].(string); ok && c.definitions[use] != "" {
			x["use"] = c.definitions[use]
		}
		for _, part := range x {
			c.useDefinitions(part)
		}
	case []any:
		for _, part := range x {
			c.useDefinitions(part)
		}
	}
}

// asWritten adds the paths of objects that HCL declares in the workspace and
// Terraform declares in the job. In Terraform, the job contains its
// prerequisites and secrets, and each use of a storage defines the storage.
func (c *configuration) asWritten(job *hclspec.Job, all []*hclspec.Prerequisite, sources hclspec.SourceMap) {
	at, inside := hclspec.Path(job.Address()), map[hclspec.Path]hclspec.Path{}
	for _, p := range all {
		inside[at.Attr("prerequisite").Key(p.Type).Key(p.Name)] = hclspec.Path(p.Address())
	}
	for _, s := range c.ws.Secrets {
		inside[at.Attr("secret").Key(s.Name)] = s.Path
	}
	used := func(uses []*hclspec.StorageUse, at hclspec.Path) {
		for i, use := range uses {
			inside[at.Attr("storage").Index(i)] = hclspec.Path("storage." + hclspec.StorageName(use.Name))
		}
	}
	used(job.Storage, at)
	for _, role := range job.TaskRoles {
		used(role.Storage, at.Attr("task_role").Key(role.Name))
	}
	for _, declared := range c.ws.Clusters { // a cluster becomes the provider block, which is not part of a resource
		sources[hclspec.Path(declared.Address())] = hcl.Range{}
	}
	for p, r := range maps.Clone(sources) {
		for from, to := range inside {
			if rest, ok := strings.CutPrefix(string(p), string(from)); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
				sources[hclspec.Path(string(to)+rest)] = r
			}
		}
	}
}
