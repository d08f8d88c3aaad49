// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// storageResource implements openpai_storage.
type storageResource struct{ definitionResource }

func newStorageResource() resource.Resource { return &storageResource{storageDefinition()} }

func storageDefinition() definitionResource {
	return definitionResource{object: storageObject, decode: decodeStorage, kind: "storage", labels: []string{"name"}}
}

// Schema implements resource.Resource.
func (r *storageResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	attributes := storageObject.Schema()
	attributes["name"] = schema.StringAttribute{Required: true, MarkdownDescription: "Name of the storage. The default mount path is `/mnt/` followed by the name of the storage."}
	attributes["id"] = schema.StringAttribute{Computed: true, MarkdownDescription: "The address: `storage.<name>`."}
	attributes["definition"] = schema.StringAttribute{Computed: true, MarkdownDescription: "String that refers to this storage, for use in `use`. Elements of `storage` and `require_storages` are objects, and Terraform does not convert a string to an object. Use the whole resource, for example `storage = [openpai_storage.nfs]`, or the object `{ use = openpai_storage.nfs.definition }`. Known during plan."}
	resp.Schema = schema.Schema{
		Version:             definitionVersion,
		MarkdownDescription: "A storage that task roles and prerequisites mount. Set exactly one of `host_path`, `claim`, `nfs`, `azure_file`, `azure_blob` and `csi`. On the local cluster, the provider creates a missing `host_path`. On Kubernetes, `nfs`, `azure_file`, `azure_blob` and `csi` require a volume and a claim: the provider creates both, or uses the volume and claim that a job of the workspace created. A `claim` must exist, and a `host_path` is a directory on the nodes. The provider creates missing objects again. Destroying the resource keeps the created objects unless `on_destroy` is `delete`; the deletion fails while an unfinished job of the workspace mounts the storage. Destroy always keeps the claim that `claim` refers to. Destroying an imported storage keeps the objects if another resource or state created them. A plan fails if another state created the storage, or if two resources declare the same storage.",
		Attributes:          attributes,
	}
}

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

// hostPath returns the local directory of a storage, or "".
func (r *storageResource) hostPath(v tftypes.Value) string {
	written := stringOr(attributesOf(v)["host_path"], "")
	if written == "" || r.conn == nil || r.conn.settings.Cluster != nil || r.conn.Unknown {
		return ""
	}
	return resolveHostPath(r.conn.Directory, written)
}

// ModifyPlan implements resource.ResourceWithModifyPlan. The plan fails if the
// storage belongs to another resource or another state.
func (r *storageResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	r.definitionResource.ModifyPlan(ctx, req, resp)
	if r.conn == nil || resp.Diagnostics.HasError() {
		return
	}
	p := &storagePlan{storageResource: r, before: r.knownAddress(req.State.Raw), after: r.knownAddress(req.Plan.Raw), planned: req.Plan.Raw, diags: &resp.Diagnostics}
	p.second = p.before == "" && isInState(ctx, req.Private)
	p.keepsDirectory = p.before != "" && p.after != "" && r.hostPath(req.Plan.Raw) != "" && r.hostPath(req.State.Raw) == r.hostPath(req.Plan.Raw)
	p.claim()
	p.checkOwner(ctx)
	if p.before != "" && p.after != "" {
		resp.Diagnostics.Append(markInState(ctx, resp.Private)...)
	}
}

// Create implements resource.Resource. It does not store a state if the storage
// cannot be created.
func (r *storageResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	if made := r.create(ctx, req.Plan.Raw, &resp.Diagnostics); !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(markCreated(ctx, resp.Private, made)...)
		r.definitionResource.Create(ctx, req, resp)
	}
}

// Read implements resource.Resource. If the directory or claim is missing,
// Read removes the resource from the state. The next apply then creates the
// storage again.
func (r *storageResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	r.definitionResource.Read(ctx, req, resp)
	dir := r.hostPath(req.State.Raw)
	if dir != "" && !isDirectory(dir) || dir == "" && !r.hasClaim(ctx, req.State.Raw, &resp.Diagnostics) {
		resp.State.RemoveResource(ctx)
	}
}

// Update implements resource.Resource. On Kubernetes, a renamed storage is a
// new storage. On the local cluster, a storage with a different directory is a
// new storage. The old directory remains unchanged.
func (r *storageResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	before, after := req.State.Raw, req.Plan.Raw
	renamed := r.address(before) != r.address(after)
	switch {
	case r.hostPath(before) != r.hostPath(after) || r.hostPath(after) == "" && renamed:
		made := r.create(ctx, after, &resp.Diagnostics)
		if resp.Diagnostics.HasError() {
			return
		}
		end := operation.StorageEnd{Remove: r.hostPath(before) == "" && storageOf(before).OnDestroy == "delete", Imported: isImported(ctx, req.Private)}
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, createdKey, fmt.Appendf(nil, "%t", made))...)
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, importedKey, nil)...) // the new storage was not imported
		r.end(ctx, before, end, &resp.Diagnostics)
	default:
		r.renew(ctx, after, &resp.Diagnostics)
	}
	if !resp.Diagnostics.HasError() {
		r.definitionResource.Update(ctx, req, resp)
	}
}

// Delete implements resource.Resource.
func (r *storageResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	v := req.State.Raw
	end := operation.StorageEnd{Imported: isImported(ctx, req.Private)}
	end.Remove = storageOf(v).OnDestroy == "delete" && (r.hostPath(v) == "" || wasCreated(ctx, req.Private))
	if end.Remove && !(end.Imported && r.isTaken(ctx, v)) && !r.checkUnused(ctx, v, &resp.Diagnostics) {
		return
	}
	r.end(ctx, v, end, &resp.Diagnostics)
}
