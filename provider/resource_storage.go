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
type storageResource struct{ declared }

func newStorageResource() resource.Resource {
	return &storageResource{declared{object: storageObject, define: defineStorage, kind: "storage", labels: []string{"name"}}}
}

// Schema implements resource.Resource.
func (r *storageResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	attributes := storageObject.Schema()
	attributes["name"] = schema.StringAttribute{Required: true, MarkdownDescription: "Name of the storage. It is mounted at `/mnt/` and its name unless a job says otherwise."}
	attributes["id"] = schema.StringAttribute{Computed: true, MarkdownDescription: "The address: `storage.<name>`."}
	attributes["definition"] = schema.StringAttribute{Computed: true, MarkdownDescription: "What a job writes as `use` to mount the storage. Known when it is planned."}
	resp.Schema = schema.Schema{
		MarkdownDescription: "A storage that task roles and prerequisites mount. Exactly one of `host_path`, `claim`, `nfs`, `azure_file`, `azure_blob` and `csi` is written. On the local cluster a `host_path` that does not exist is created. On Kubernetes the volume and claim of `nfs`, `azure_file`, `azure_blob` and `csi` are created, or found as a job of the workspace made them; a `claim` must exist and is adopted, and a `host_path` is that of the nodes. What vanished is created again. What was created is kept when the resource is destroyed, unless `on_destroy` is `delete`, which is refused while a job of the workspace that mounts it has not ended; what is adopted is always kept.",
		Attributes:          attributes,
	}
}

// defineStorage checks a storage and makes its outputs.
func defineStorage(v tftypes.Value) *defined {
	d := &defined{Decoder: shape.NewDecoder()}
	s := &hclspec.Storage{Name: knownText(attributesOf(v)["name"], "unnamed")}
	d.Decode(storageObject, v, s, hclspec.Path(s.Address()), path.Empty())
	d.findings = d.Diags
	if len(d.Unknown) == 0 {
		d.findings = append(d.findings, hclspec.Validate(&hclspec.Workspace{Sources: d.Places.Sources, Storages: []*hclspec.Storage{s}})...)
	}
	d.findings = decided(d.findings, d.Decoder)
	body := shape.MarshalTree(storageObject.Encode(s))
	d.id = s.Address().String()
	key := hashedKey(s.Address(), body)
	d.definition = (&definition{Use: key, Storages: bodies{key: body}}).text()
	return d
}

// hostPath returns the directory that a storage is on this machine, or "".
func (r *storageResource) hostPath(v tftypes.Value) string {
	written := knownText(attributesOf(v)["host_path"], "")
	if written == "" || r.conn == nil || r.conn.settings.Cluster != nil || r.conn.Unknown {
		return ""
	}
	return inDirectory(r.conn.Directory, written)
}

// Create implements resource.Resource. What fails to be made is not kept.
func (r *storageResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	if made := r.make(ctx, req.Plan.Raw, &resp.Diagnostics); !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(rememberMade(ctx, resp.Private, made)...)
		r.declared.Create(ctx, req, resp)
	}
}

// make makes what a storage is on the cluster. made is true for a directory
// that was not there.
func (r *storageResource) make(ctx context.Context, v tftypes.Value, diags *diag.Diagnostics) (made bool) {
	dir := r.hostPath(v)
	if dir == "" {
		r.makeClaim(ctx, v, diags)
		return false
	}
	made, err := makeDirectory(dir)
	if err != nil {
		diags.AddAttributeError(path.Root("host_path"), "The directory was not made", fmt.Sprintf("make the directory of %s: %s", knownText(attributesOf(v)["name"], ""), errorText(err)))
	}
	return made
}

// Read implements resource.Resource: a directory or claim that vanished is made
// again.
func (r *storageResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	r.declared.Read(ctx, req, resp)
	dir := r.hostPath(req.State.Raw)
	if dir != "" && !isDirectory(dir) || dir == "" && !r.hasClaim(ctx, req.State.Raw, &resp.Diagnostics) {
		resp.State.RemoveResource(ctx)
	}
}

// Update implements resource.Resource. A storage that is renamed is another one
// on Kubernetes.
func (r *storageResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	if r.make(ctx, req.Plan.Raw, &resp.Diagnostics); resp.Diagnostics.HasError() {
		return
	}
	if r.address(req.State.Raw) != r.address(req.Plan.Raw) {
		r.removeClaim(ctx, req.State.Raw, &resp.Diagnostics)
	}
	r.declared.Update(ctx, req, resp)
}

// Delete implements resource.Resource.
func (r *storageResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	v := req.State.Raw
	dir := r.hostPath(v)
	if storageOf(v).OnDestroy != "delete" || dir != "" && !wasMade(ctx, req.Private) || !r.mayRemove(ctx, v, &resp.Diagnostics) {
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
