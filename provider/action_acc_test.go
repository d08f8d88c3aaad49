// SPDX-License-Identifier: MPL-2.0

//go:build acc

package provider

import (
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
)

// TestRerunSubmitsAFinishedJobToTheAPIServer uses the provider protocol, because
// OpenTofu does not support actions.
func TestRerunSubmitsAFinishedJobToTheAPIServer(t *testing.T) {
	server, err := apitest.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	e := &engine.Engine{Client: server.Dynamic(), Namespace: "default"}
	open := func() *terraform {
		return startWith(t, tree{"kubernetes": tree{
			"kubeconfig": server.Kubeconfig, "namespace": "default", "user": "alice", "workspace": "team", "runtime_image": "registry.example.org/runtime:1",
		}})
	}
	run := func() {
		if err := e.Prepare(t.Context(), mnist); err != nil {
			t.Fatal(err)
		}
		if err := e.Run(t.Context(), mnist); err != nil {
			t.Fatal(err)
		}
	}
	config := job([]string{"sleep 1000"})
	i := open().resource("openpai_job")
	i.mustApply(config, "create")
	run()
	if text := open().invoke("openpai_job_rerun", tree{"name": "mnist"}); !strings.Contains(text, "has not finished (RUNNING)") {
		t.Fatalf("while it runs: %s", text)
	}
	if err := e.Complete(t.Context(), mnist, func(string, int32) *framework.CompletionStatus {
		return framework.FromCode(framework.CodeSucceeded, "Pod succeeded")
	}); err != nil {
		t.Fatal(err)
	}
	if text := open().invoke("openpai_job_rerun", tree{"name": "mnist"}); !strings.Contains(text, "progress: job.mnist was submitted again") {
		t.Fatalf("after its end: %s", text)
	}
	run()
	before := decodeJobPrivate(i.private)
	again := open().resource("openpai_job")
	again.state, again.private, again.identity = i.state, i.private, i.identity
	if text := again.refresh(); text != "" || again.text("state") != "RUNNING" {
		t.Fatalf("state %s\n%s", again.text("state"), text)
	}
	if after := decodeJobPrivate(again.private); after.UID == before.UID || after.Seen != before.Seen {
		t.Errorf("another run with the same content: %+v after %+v", after, before)
	}
	if p := again.plan(config); p.action(again.state) != "none" {
		t.Errorf("the next plan: %s\n%s", p.action(again.state), p.diagnostics)
	}
}
