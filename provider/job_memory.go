package provider

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// memory is what the private state of a job keeps.
type memory struct {
	// UID is that of the Framework.
	UID string `json:"uid,omitempty"`
	// Applied is the content hash of the record when the state was written.
	Applied string `json:"applied,omitempty"`
}

const memoryKey = "job"

type privateReader interface {
	GetKey(context.Context, string) ([]byte, diag.Diagnostics)
}

type privateWriter interface {
	SetKey(context.Context, string, []byte) diag.Diagnostics
}

// recall reads the private state; empty when there is none.
func recall(ctx context.Context, private privateReader) memory {
	var m memory
	text, _ := private.GetKey(ctx, memoryKey)
	if json.Unmarshal(text, &m) != nil {
		return memory{}
	}
	return m
}

// memorise writes the private state.
func memorise(ctx context.Context, private privateWriter, live *planner.LiveJob) diag.Diagnostics {
	text, err := json.Marshal(memory{UID: live.UID, Applied: live.Hash})
	if err != nil {
		panic("provider: " + err.Error())
	}
	return private.SetKey(ctx, memoryKey, text)
}

// remember keeps which Framework was written.
func (a *jobApply) remember(ctx context.Context, private privateWriter) {
	live, err := a.conn.reread(ctx, a.d.resolved.Framework)
	if err == nil && live != nil {
		a.diags.Append(memorise(ctx, private, live)...)
	}
}

func (a *jobApply) identify(ctx context.Context, identity *tfsdk.ResourceIdentity) {
	setIdentity(ctx, identity, a.d.resolved.User, a.d.job.Name, a.diags)
}

func setIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, user, name string, diags *diag.Diagnostics) {
	if identity == nil {
		return
	}
	diags.Append(identity.SetAttribute(ctx, path.Root("user"), user)...)
	diags.Append(identity.SetAttribute(ctx, path.Root("name"), name)...)
}
