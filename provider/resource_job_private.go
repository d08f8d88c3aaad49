// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// jobPrivate is the private state of a job. It identifies the Framework and records
// the job's properties at the last read or apply.
type jobPrivate struct {
	Name      string `json:"name"`
	Framework string `json:"framework"`
	UID       string `json:"uid,omitempty"`
	// Applied is the content hash of the declaration in the state. It is "" if
	// no apply wrote the state.
	Applied string `json:"applied,omitempty"`
	// Seen is the content hash of the job on the cluster.
	Seen string `json:"seen,omitempty"`
	// Outputs contains the values and codes from which the outputs were
	// derived. It does not contain messages.
	Outputs string `json:"outputs,omitempty"`
	// Drift reports whether other programs changed the applied job.
	Drift bool `json:"drift,omitempty"`
	// Secrets reports whether the job uses secrets.
	Secrets bool `json:"secrets,omitempty"`
	// Cluster is the fingerprint of the provider settings that affect tasks.
	Cluster string `json:"cluster,omitempty"`
	// Replaced is true in a plan that creates a job. Terraform passes this plan's
	// private state to a deletion only if the creation replaces the job.
	Replaced bool `json:"replaced,omitempty"`
	// Blocked is the name of the new job if the plan detected that the new
	// job cannot be created. If a tainted job is renamed, the plan of the new
	// job does not show that apply ends the tainted job. Apply therefore
	// checks Blocked before it deletes the tainted job.
	Blocked string `json:"blocked,omitempty"`
	// Planned is the progress of the job at plan time. It is set only in a plan that
	// deletes the job.
	Planned operation.RunState `json:"planned,omitempty"`
	// Location is the namespace in which the job was applied, or the local
	// cluster.
	Location location `json:"place,omitempty"`
}

// withLive returns m with the UID, hash, outputs and drift of the live job.
func (m jobPrivate) withLive(live *planner.LiveJob) jobPrivate {
	m.UID, m.Seen = live.UID, live.Hash
	m.Outputs = string(live.State)
	if live.ExitCode != nil {
		m.Outputs += " " + strconv.Itoa(*live.ExitCode)
	}
	if m.Drift = len(live.Drift) > 0; m.Drift {
		m.Outputs += " " + string(shape.MarshalTree(driftCodes(live)))
	}
	if elsewhere(live) {
		m.Drift = true
		m.Outputs += " " + string(live.DeclaredBy)
	}
	if len(live.SecretVersions) > 0 {
		m.Outputs += " " + string(shape.MarshalTree(live.SecretVersions))
	}
	return m
}

// withoutPlan returns a copy without the fields that a plan sets.
func (m jobPrivate) withoutPlan() jobPrivate {
	m.Replaced, m.Planned, m.Blocked = false, "", ""
	return m
}

// driftCodes lists the changes by other programs, without values.
func driftCodes(live *planner.LiveJob) [][]string {
	codes := make([][]string, len(live.Drift))
	for i, d := range live.Drift {
		codes[i] = []string{string(d.Kind), d.Object, d.Path, d.Manager}
	}
	return codes
}

const jobPrivateKey = "job"

type privateReader interface {
	GetKey(context.Context, string) ([]byte, diag.Diagnostics)
}

type privateWriter interface {
	SetKey(context.Context, string, []byte) diag.Diagnostics
}

// readJobPrivate returns an empty state if no valid private state exists.
func readJobPrivate(ctx context.Context, private privateReader) jobPrivate {
	var m jobPrivate
	text, _ := private.GetKey(ctx, jobPrivateKey)
	if json.Unmarshal(text, &m) != nil {
		return jobPrivate{}
	}
	return m
}

func writeJobPrivate(ctx context.Context, private privateWriter, m jobPrivate) diag.Diagnostics {
	return private.SetKey(ctx, jobPrivateKey, m.marshal())
}

func (m jobPrivate) marshal() []byte {
	text, err := json.Marshal(m)
	if err != nil {
		panic("provider: " + err.Error()) // strings and bools always marshal
	}
	return text
}

func (a *jobApply) savePrivate(ctx context.Context, private privateWriter) {
	a.diags.Append(writeJobPrivate(ctx, private, a.private())...)
}

// private returns the private state after apply.
func (a *jobApply) private() jobPrivate {
	m := jobPrivate{Name: a.d.job.Name, Framework: a.d.resolved.Framework, Applied: a.contentHash(), Secrets: len(a.d.resolved.Secrets) > 0, Cluster: a.conn.fingerprint, Location: a.conn.location()}
	if a.live != nil {
		m = m.withLive(a.live)
	}
	return m
}

func (a *jobApply) identify(ctx context.Context, identity *tfsdk.ResourceIdentity) {
	a.conn.identify(ctx, identity, jobIdentity(a.d.resolved.User, a.d.job.Name), a.diags)
}

// jobIdentity omits the location.
func jobIdentity(user, name string) map[string]string {
	return map[string]string{"user": user, "name": name}
}

// privateState is the private state of a resource, in the format of the
// plugin framework.
type privateState map[string][]byte

// decodePrivate returns an empty state for empty or unreadable input.
func decodePrivate(private []byte) privateState {
	p := privateState{}
	if json.Unmarshal(private, &p) != nil || p == nil {
		return privateState{}
	}
	return p
}

// decodeJobPrivate returns an empty state for unreadable input.
func decodeJobPrivate(private []byte) jobPrivate {
	var m jobPrivate
	if json.Unmarshal(decodePrivate(private)[jobPrivateKey], &m) != nil {
		return jobPrivate{}
	}
	return m
}

// encodeJobPrivate replaces the private state of a job and keeps the other
// keys.
func encodeJobPrivate(private []byte, m jobPrivate) []byte {
	p := decodePrivate(private)
	p[jobPrivateKey] = m.marshal()
	text, err := json.Marshal(p)
	if err != nil {
		panic("provider: " + err.Error()) // bytes always marshal
	}
	return text
}
