// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// TestAProviderBlockWithUnknownValuesIsChecked expects an error only if no value can make
// the block valid.
func TestAProviderBlockWithUnknownValuesIsChecked(t *testing.T) {
	t.Parallel()
	tf := startWith(t, onKubernetes(nil))
	tests := map[string]struct {
		block tree
		want  string // "" if the block has no diagnostics
	}{
		"a host with a token":        {tree{"host": unknown{}, "cluster_ca_certificate": unknown{}, "token": unknown{}}, ""},
		"a file and an unknown host": {tree{"kubeconfig": "a", "host": unknown{}}, "Several ways to access the cluster: kubernetes.kubeconfig is for access with a kubeconfig, but kubernetes.host is for access without one."},
		"an unknown profile":         {tree{"profile": unknown{}}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			text := tf.validateProvider(onKubernetes(tt.block))
			if tt.want == "" && text != "" || !strings.Contains(text, tt.want) {
				t.Errorf("%s", text)
			}
		})
	}
}

func TestTheEnvironmentDoesNotMixWithTheProviderBlock(t *testing.T) {
	t.Parallel()
	p := newProvider("test")
	p.lookup = func(name string) (string, bool) {
		return map[string]string{envKubeconfig: "file", envContext: "gpu"}[name], true
	}
	tf := startWith(t, onKubernetes(nil))
	for name, tt := range map[string]struct {
		block         tree
		file, context string
	}{
		"nothing written": {tree{}, "file", "gpu"},
		"content":         {tree{"kubeconfig_content": "x"}, "", "gpu"},
		"a host":          {tree{"host": "https://gpu"}, "", ""},
	} {
		var diags diag.Diagnostics
		c := p.settings(tf.value(onKubernetes(tt.block), tf.schema.Provider.ValueType()), &diags).Cluster
		if len(diags) > 0 || c.Kubeconfig != tt.file || c.Context != tt.context {
			t.Errorf("%s: %q %q %v", name, c.Kubeconfig, c.Context, diags)
		}
	}
}

// unknownBlocks are provider blocks whose cluster cannot be accessed yet.
var unknownBlocks = map[string]tree{
	"host":          onKubernetes(tree{"runtime_image": "example.org/runtime:1", "host": unknown{}, "token": unknown{}}),
	"content":       onKubernetes(tree{"runtime_image": "example.org/runtime:1", "kubeconfig_content": unknown{}}),
	"a path":        onKubernetes(tree{"runtime_image": "example.org/runtime:1", "config_paths": []any{"a", unknown{}}}),
	"program's env": onKubernetes(tree{"runtime_image": "example.org/runtime:1", "host": "https://gpu", "exec": tree{"api_version": "v1", "command": "a", "env": tree{"A": unknown{}}}}),
}

func finishedState(t *testing.T, tf *terraform, config tree) *instance {
	t.Helper()
	i := tf.resource("openpai_job")
	v := i.proposed(tf.value(config, i.typ), i.null())
	d := declareJob(&settings{Cluster: &hclspec.Cluster{Name: kubernetesName}, User: "alice", Workspace: "team"}, v, tftypes.Value{})
	a := &jobApply{conn: newConnection(&settings{Cluster: &hclspec.Cluster{Name: kubernetesName}, User: "alice", Workspace: "team"}, nil, nil), d: d, planned: v}
	a.setState(nil, nil)
	i.state = withAttributes(a.state, map[string]tftypes.Value{"state": stringValue("SUCCEEDED"), "exit_code": tftypes.NewValue(tftypes.Number, 0)})
	return i
}

func TestJobsArePlannedFromTheStateWhileTheClusterIsNotKnown(t *testing.T) {
	t.Parallel()
	for name, block := range unknownBlocks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tf := startWith(t, block)
			i := finishedState(t, tf, job([]string{"true"}))
			before := i.state
			if text := i.refresh(); strings.Count(text, "States are not refreshed") != 1 || strings.Contains(text, "error: ") || !i.state.Equal(before) {
				t.Errorf("refresh: %s%s", text, diff(before, i.state))
			}
			if text := i.refresh(); text != "" {
				t.Errorf("the warning is repeated: %s", text)
			}
			if p := i.plan(job([]string{"true"})); p.action(i.state) != "none" || p.diagnostics != "" {
				t.Errorf("the same: %s\n%s%s", p.action(i.state), p.diagnostics, diff(i.state, p.state))
			}
			if p := i.plan(job([]string{"false"})); p.action(i.state) != "update" {
				t.Errorf("a finished job is not replaced: %s\n%s%s", p.action(i.state), p.diagnostics, diff(i.state, p.state))
			}
			if p := i.plan(nil); p.action(i.state) != "destroy" {
				t.Errorf("its end: %s\n%s", p.action(i.state), p.diagnostics)
			}
			if p := tf.resource("openpai_job").plan(job([]string{"true"}, tree{"name": "other"})); p.action(i.null()) != "create" || p.diagnostics != "" {
				t.Errorf("another one: %s\n%s", p.action(i.null()), p.diagnostics)
			}
		})
	}
}

func TestEverythingIsDeferredWhereTerraformAllowsIt(t *testing.T) {
	t.Parallel()
	for _, allowed := range []bool{true, false} {
		tf := startWith(t, onKubernetes(nil))
		block := tf.value(unknownBlocks["host"], tf.schema.Provider.ValueType())
		configured, err := tf.server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
			Config: tf.encode(block), ClientCapabilities: &tfprotov6.ConfigureProviderClientCapabilities{DeferralAllowed: allowed},
		})
		if err != nil || len(configured.Diagnostics) > 0 {
			t.Fatalf("%v %s", err, diagnosticsText(configured.Diagnostics))
		}
		i := finishedState(t, tf, job([]string{"true"}))
		value := tf.value(job([]string{"true"}), i.typ)
		planned, err := tf.server.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
			TypeName: i.name, PriorState: tf.encode(i.state), ProposedNewState: tf.encode(i.proposed(value, i.state)), Config: tf.encode(value),
			ClientCapabilities: &tfprotov6.PlanResourceChangeClientCapabilities{DeferralAllowed: allowed},
		})
		if err != nil || (planned.Deferred != nil) != allowed {
			t.Errorf("allowed %t: plan %+v %v", allowed, planned.Deferred, err)
		}
		read, err := tf.server.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{
			TypeName: i.name, CurrentState: tf.encode(i.state), ClientCapabilities: &tfprotov6.ReadResourceClientCapabilities{DeferralAllowed: allowed},
		})
		if err != nil || (read.Deferred != nil) != allowed || allowed && read.Deferred.Reason != tfprotov6.DeferredReasonProviderConfigUnknown {
			t.Errorf("allowed %t: read %+v %v", allowed, read.Deferred, err)
		}
	}
}
