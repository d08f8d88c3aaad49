package provider

import (
	"context"
	"fmt"

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
		MarkdownDescription: "A storage that task roles and prerequisites mount. Exactly one of `host_path`, `claim`, `nfs`, `azure_file`, `azure_blob` and `csi` is written. A `host_path` that does not exist is created; the volume and claim of other kinds are made with the first job that mounts them, and a `claim` is only referred to. What was created is kept when the resource is destroyed, unless `on_destroy` is `delete`.",
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

// Create implements resource.Resource.
func (r *storageResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	r.declared.Create(ctx, req, resp)
	if dir := r.hostPath(req.Plan.Raw); dir != "" && !resp.Diagnostics.HasError() {
		made, err := makeDirectory(dir)
		if err != nil {
			resp.Diagnostics.AddAttributeError(path.Root("host_path"), "The directory was not made", fmt.Sprintf("make the directory of %s: %s", knownText(attributesOf(req.Plan.Raw)["name"], ""), err))
			return
		}
		resp.Diagnostics.Append(rememberMade(ctx, resp.Private, made)...)
	}
}

// Read implements resource.Resource: a directory that vanished is made again.
func (r *storageResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	if dir := r.hostPath(req.State.Raw); dir != "" && !isDirectory(dir) {
		resp.State.RemoveResource(ctx)
		return
	}
	r.declared.Read(ctx, req, resp)
}

// Update implements resource.Resource.
func (r *storageResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	r.declared.Update(ctx, req, resp)
	if dir := r.hostPath(req.Plan.Raw); dir != "" && !resp.Diagnostics.HasError() && !isDirectory(dir) {
		if _, err := makeDirectory(dir); err != nil {
			resp.Diagnostics.AddAttributeError(path.Root("host_path"), "The directory was not made", err.Error())
		}
	}
}

// Delete implements resource.Resource.
func (r *storageResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	dir := r.hostPath(req.State.Raw)
	if dir == "" || knownText(attributesOf(req.State.Raw)["on_destroy"], "keep") != "delete" || !wasMade(ctx, req.Private) {
		return
	}
	if err := removeDirectory(dir); err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("host_path"), "The directory was not removed", err.Error())
	}
}
