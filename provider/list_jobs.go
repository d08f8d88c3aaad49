// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// jobList lists the jobs of the workspace for `terraform query`.
type jobList struct{ conn *connection }

var _ list.ListResourceWithConfigure = (*jobList)(nil)

// Configure implements list.ListResourceWithConfigure.
func (l *jobList) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	l.conn, _ = req.ProviderData.(*connection)
}

// Metadata implements list.ListResource.
func (l *jobList) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_job"
}

// ListResourceConfigSchema implements list.ListResource.
func (l *jobList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The jobs of the provider's workspace.",
		Attributes: map[string]schema.Attribute{
			"states": schema.ListAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: "Include only jobs in one of these states. Deleted jobs (`GONE`) cannot be imported and are listed only if this attribute includes that state."},
		},
	}
}

// List implements list.ListResource.
func (l *jobList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	jobs, err := l.conn.jobs(ctx)
	if err != nil {
		stream.Results = list.ListResultsStreamDiagnostics(diag.Diagnostics{diag.NewErrorDiagnostic("Cannot read the jobs", errorText(err))})
		return
	}
	var diags diag.Diagnostics
	states := readStates(attributesOf(req.Config.Raw)["states"], &diags)
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = func(yield func(list.ListResult) bool) {
		sent := int64(0)
		for _, live := range jobs {
			if !states.lists(live) {
				continue
			}
			if req.Limit > 0 && sent == req.Limit {
				return
			}
			sent++
			if !yield(l.result(ctx, req, live)) {
				return
			}
		}
	}
}

func (l *jobList) result(ctx context.Context, req list.ListRequest, live *planner.LiveJob) list.ListResult {
	name := jobName(live)
	r := req.NewListResult(ctx)
	r.DisplayName = name + " (" + string(shownState(live)) + ")"
	l.conn.identify(ctx, r.Identity, jobIdentity(live.User, name), &r.Diagnostics)
	if req.IncludeResource {
		r.Resource.Raw = importedState(live, name, r.Resource.Raw.Type(), &r.Diagnostics)
	}
	return r
}

// jobStates describes a field that contains a list of states.
var jobStates = &hclspec.Field{Name: "states", Kind: hclspec.Strings, Values: []string{
	string(planner.StateWaiting), string(planner.StateRunning), string(planner.StateStopping), string(planner.StateSucceeded),
	string(planner.StateFailed), string(planner.StateStopped), string(planner.StateGone), string(planner.StateUnknown),
}}

// chosenStates is the set of states by which jobs are filtered. An empty set
// allows all states.
type chosenStates map[planner.JobState]bool

func (c chosenStates) include(live *planner.LiveJob) bool { return len(c) == 0 || c[shownState(live)] }

// lists reports whether a list contains the job. A job that disappeared is
// listed only if the state GONE is requested.
func (c chosenStates) lists(live *planner.LiveJob) bool {
	return c.include(live) && (c[planner.StateGone] || !live.Vanished())
}

// shownState returns GONE if the job disappeared.
func shownState(live *planner.LiveJob) planner.JobState {
	if live.Vanished() {
		return planner.StateGone
	}
	return live.State
}

// readStates reports invalid states.
func readStates(v tftypes.Value, diags *diag.Diagnostics) chosenStates {
	var listed []tftypes.Value
	if v.Type() != nil && v.IsKnown() && !v.IsNull() {
		mustAs(v, &listed)
	}
	places, at := shape.NewPlaces(), hclspec.Path("states")
	names, states := []string{}, chosenStates{}
	for i, s := range listed {
		places.Put(at.Index(i), path.Root("states").AtListIndex(i))
		names = append(names, stringOr(s, ""))
		states[planner.JobState(names[i])] = true
	}
	report(diags, hclspec.CheckField(jobStates, names, at, places.Sources), places, errorsOnly)
	return states
}
