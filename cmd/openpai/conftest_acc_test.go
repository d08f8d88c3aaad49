// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
)

// TestConftestRejectsThePlan runs conftest on a plan, with the rules from the example.
func TestConftestRejectsThePlan(t *testing.T) {
	t.Parallel()
	conftest, err := apitest.Tool("conftest")
	if err != nil {
		t.Fatal(err)
	}
	file, _ := latestPlan(t)
	out, err := exec.Command(conftest, "test", "--policy", rules, file).CombinedOutput()
	if err == nil {
		t.Fatalf("the plan passed\n%s", out)
	}
	if strings.Contains(string(out), "debian:13") {
		t.Errorf("a pinned image is denied\n%s", out)
	}
	for _, want := range []string{
		"job.train: the image debian:latest is not pinned", "job.train: the image registry.example.com:5000/server is not pinned",
		"48 GPUs in the virtual cluster default, and 8 are allowed",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}
