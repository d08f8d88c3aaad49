// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// The kubernetes block corresponds to the cluster block of the HCL language. The
// settings of the runtime are top-level attributes, such as runtime_image.
var (
	clusterObject = shape.New(hclspec.ClusterBlock, false, "runtime")
	runtimeObject = shape.New(hclspec.ClusterBlock.Field("runtime").Block, false).Prefixed("runtime_")
)

func clusterSchema() map[string]schema.Attribute {
	attributes := clusterObject.ProviderSchema()
	maps.Copy(attributes, runtimeObject.ProviderSchema())
	maps.Copy(attributes, accessSchema())
	attributes["kubeconfig"] = stringAttribute("Kubeconfig file. Default: kubectl's rules.", envKubeconfig)
	attributes["context"] = stringAttribute("Context in the kubeconfig file. Defaults to the current context of the file.", envContext)
	attributes["namespace"] = stringAttribute("Namespace of the jobs. Defaults to the namespace of the context.", envNamespace)
	attributes["user"] = stringAttribute("User who owns the jobs. Required: use the same value wherever you apply the configuration.", envUser)
	attributes["workspace"] = stringAttribute("Name of the set of jobs that openpai manages together. Required.", envWorkspace)
	attributes["runtime_image"] = stringAttribute("Image with openpai-runtime. Defaults to the image of this release.", envRuntimeImage)
	attributes["log_storage"] = stringAttribute("Existing claim for the logs of finished tasks.", "")
	return attributes
}

// clusterDeclaration is a kubernetes block as declared.
type clusterDeclaration struct {
	*shape.Decoder
	cluster *hclspec.Cluster
}

func decodeCluster(v tftypes.Value) *clusterDeclaration {
	d := &clusterDeclaration{Decoder: shape.NewDecoder(), cluster: &hclspec.Cluster{Name: kubernetesName}}
	if attributesOf(v) == nil {
		return d
	}
	at, where := hclspec.Path(d.cluster.Address()), path.Root("kubernetes")
	d.Decode(clusterObject, v, d.cluster, at, where)
	d.Decode(runtimeObject, v, &d.cluster.Runtime, at.Attr("runtime"), where)
	return d
}

func (d *clusterDeclaration) diagnostics() hcl.Diagnostics {
	ws := &hclspec.Workspace{Sources: d.Places.Sources, Clusters: []*hclspec.Cluster{d.cluster}}
	if d.cluster.LogStorage != "" {
		ws.Storages = []*hclspec.Storage{{Name: d.cluster.LogStorage, Claim: d.cluster.LogStorage, Path: "log_storage"}}
	}
	return withoutUndecided(append(d.Diags, hclspec.Validate(ws)...), d.Decoder)
}

func (p *openpai) clusterSettings(v tftypes.Value, diags *diag.Diagnostics) *settings {
	values := attributesOf(v)
	d := decodeCluster(v)
	c := d.cluster
	report(diags, d.Diags, d.Places, errorsOnly)
	a := access(values)
	a.check(diags)
	if c.Access = a.decode(); c.Access == nil {
		c.Kubeconfig = p.setting(values["kubeconfig"], envKubeconfig, "")
	}
	if !a.isWritten("host") {
		c.Context = p.setting(values["context"], envContext, "")
	}
	c.Namespace = p.setting(values["namespace"], envNamespace, "")
	c.User = p.setting(values["user"], envUser, "")
	c.Runtime.Image = p.setting(values["runtime_image"], envRuntimeImage, "")
	s := &settings{Cluster: c, User: c.User, Workspace: p.setting(values["workspace"], envWorkspace, "")}
	s.Unknown = len(d.Unknown) > 0 || !values["workspace"].IsKnown() || !a.isKnown()
	checkRuntimeImage(diags, c.Runtime.Image)
	needed(diags, "user", s.User, values["user"])
	needed(diags, "workspace", s.Workspace, values["workspace"])
	return s
}

func checkRuntimeImage(diags *diag.Diagnostics, image string) {
	if image == "" {
		return
	}
	if d := hclspec.CheckImage(image, false, hcl.Range{}); d != nil {
		diags.AddAttributeError(path.Root("kubernetes").AtName("runtime_image"), d.Summary, d.Detail)
	}
}

// needed reports a required attribute without a value in the block or
// environment.
func needed(diags *diag.Diagnostics, name, got string, v tftypes.Value) {
	if got != "" || !v.IsKnown() {
		return
	}
	env := map[string]string{"user": envUser, "workspace": envWorkspace}[name]
	entry := map[string]*hclspec.Entry{"user": hclspec.ClusterWithoutUser, "workspace": hclspec.UnnamedWorkspace}[name]
	diags.AddAttributeError(path.Root("kubernetes").AtName(name), entry.Summary,
		"On Kubernetes the "+name+" is required, so that the configuration refers to the same jobs wherever you apply it. Set kubernetes."+name+" or the environment variable "+env+".")
}
