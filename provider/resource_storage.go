package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// storageResource is openpai_storage.
type storageResource struct{ definitionResource }

func newStorageResource() resource.Resource {
	return &storageResource{definitionResource{object: storageObject, decode: decodeStorage, kind: "storage", labels: []string{"name"}}}
}

// Schema implements resource.Resource.
func (r *storageResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	attributes := storageObject.Schema()
	attributes["name"] = schema.StringAttribute{Required: true, MarkdownDescription: "Name of the storage. It is mounted at `/mnt/` and its name unless a job says otherwise."}
	attributes["id"] = schema.StringAttribute{Computed: true, MarkdownDescription: "The address: `storage.<name>`."}
	attributes["definition"] = schema.StringAttribute{Computed: true, MarkdownDescription: "The reference to this storage, for the `use` of `storage` and `require_storages`. Or write the whole resource: `storage = [openpai_storage.nfs]`. Known when it is planned."}
	resp.Schema = schema.Schema{
		Version:             definitionVersion,
		MarkdownDescription: "A storage that task roles and prerequisites mount. Exactly one of `host_path`, `claim`, `nfs`, `azure_file`, `azure_blob` and `csi` is written. On the local cluster a `host_path` that does not exist is created. On Kubernetes the volume and claim of `nfs`, `azure_file`, `azure_blob` and `csi` are created, or found as a job of the workspace made them; a `claim` must exist and is adopted, and a `host_path` is that of the nodes. What vanished is created again. What was created is kept when the resource is destroyed, unless `on_destroy` is `delete`, which is refused while a job of the workspace that mounts it has not ended; what is adopted is always kept.",
		Attributes:          attributes,
	}
}

// decodeStorage checks a storage and makes its outputs.
func decodeStorage(v tftypes.Value) *decodedDefinition {
	d := &decodedDefinition{Decoder: shape.NewDecoder()}
	s := &hclspec.Storage{Name: stringOr(attributesOf(v)["name"], "unnamed")}
	d.Decode(storageObject, v, s, hclspec.Path(s.Address()), path.Empty())
	d.diagnostics = d.Diags
	if len(d.Unknown) == 0 {
		d.diagnostics = append(d.diagnostics, hclspec.Validate(&hclspec.Workspace{Sources: d.Places.Sources, Storages: []*hclspec.Storage{s}})...)
	}
	d.diagnostics = withoutUndecided(d.diagnostics, d.Decoder)
	d.id = s.Address().String()
	def := newDefinition(d.id)
	def.put(d.id, shape.MarshalTree(storageObject.Encode(s)))
	d.definition = def.text()
	return d
}

// hostPath returns the directory that a storage is on this machine, or "".
func (r *storageResource) hostPath(v tftypes.Value) string {
	written := stringOr(attributesOf(v)["host_path"], "")
	if written == "" || r.conn == nil || r.conn.settings.Cluster != nil || r.conn.Unknown {
		return ""
	}
	return resolveHostPath(r.conn.Directory, written)
}

// Create implements resource.Resource. What fails to be made is not kept.
func (r *storageResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	if made := r.create(ctx, req.Plan.Raw, &resp.Diagnostics); !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(markCreated(ctx, resp.Private, made)...)
		r.definitionResource.Create(ctx, req, resp)
	}
}

// create makes what a storage is on the cluster. created is true for a directory
// that was not there.
func (r *storageResource) create(ctx context.Context, v tftypes.Value, diags *diag.Diagnostics) (made bool) {
	dir := r.hostPath(v)
	if dir == "" {
		r.createClaim(ctx, v, diags)
		return false
	}
	made, err := createDirectory(dir)
	if err != nil {
		diags.AddAttributeError(path.Root("host_path"), "The directory was not made", fmt.Sprintf("make the directory of %s: %s", stringOr(attributesOf(v)["name"], ""), errorText(err)))
	}
	return made
}

// Read implements resource.Resource: a directory or claim that vanished is made
// again.
func (r *storageResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	r.definitionResource.Read(ctx, req, resp)
	dir := r.hostPath(req.State.Raw)
	if dir != "" && !isDirectory(dir) || dir == "" && !r.hasClaim(ctx, req.State.Raw, &resp.Diagnostics) {
		resp.State.RemoveResource(ctx)
	}
}

// Update implements resource.Resource. A storage that is renamed is another one
// on Kubernetes.
func (r *storageResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	if r.create(ctx, req.Plan.Raw, &resp.Diagnostics); resp.Diagnostics.HasError() {
		return
	}
	if r.address(req.State.Raw) != r.address(req.Plan.Raw) {
		r.removeClaim(ctx, req.State.Raw, &resp.Diagnostics)
	}
	r.definitionResource.Update(ctx, req, resp)
}

// Delete implements resource.Resource.
func (r *storageResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	v := req.State.Raw
	dir := r.hostPath(v)
	if storageOf(v).OnDestroy != "delete" || dir != "" && !wasCreated(ctx, req.Private) || !r.checkUnused(ctx, v, &resp.Diagnostics) {
		return
	}
	if dir == "" {
		r.removeClaim(ctx, v, &resp.Diagnostics)
		return
	}
	if err := removeDirectory(dir); err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("host_path"), "The directory was not removed", errorText(err))
	}
}
