// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// deferred returns the reason for each deferred change in a saved plan.
func (p *project) deferred(file string) map[string]string {
	p.t.Helper()
	var plan struct {
		Deferred []struct {
			Reason string `json:"reason"`
			Change struct {
				Address string `json:"address"`
			} `json:"resource_change"`
		} `json:"deferred_changes"`
	}
	if err := json.Unmarshal([]byte(p.must("show", "-json", file)), &plan); err != nil {
		p.t.Fatal(err)
	}
	reasons := map[string]string{}
	for _, d := range plan.Deferred {
		reasons[d.Change.Address] = d.Reason
	}
	return reasons
}

// TestEverythingWaitsForTheCluster uses two runs. The first run creates the
// cluster and defers all changes in the cluster. The second run creates the job.
func TestEverythingWaitsForTheCluster(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		if !p.isTerraform("1.14.0") {
			return // this version does not support deferral; protocol tests cover it
		}
		at := kubernetesEnvironment(t, p.dir)
		created := fmt.Sprintf("resource \"terraform_data\" \"cluster\" {\n  input = file(%q)\n}\n", apiServer(t).Kubeconfig)
		provider := accessBlock(t, at, "    kubeconfig_content = terraform_data.cluster.output")
		p.configure(provider, created, job("sleep 1000", 1, ""), "data \"openpai_jobs\" \"all\" {}\n")
		file := filepath.Join(p.t.TempDir(), "plan")
		if out, _ := p.run("plan", "-input=false", "-allow-deferral", "-out="+file); strings.Contains(out, "only valid in experimental builds") {
			return // released versions do not support it yet
		}
		reasons := p.deferred(file)
		for _, address := range []string{"openpai_job.mnist", "openpai_prerequisite.greet", "data.openpai_jobs.all"} {
			if reasons[address] != "provider_config_unknown" {
				t.Errorf("%s: %q", address, reasons[address])
			}
		}
		p.must("apply", file)
		if out := p.apply("-allow-deferral"); !strings.Contains(out, "2 added, 0 changed, 0 destroyed") {
			t.Errorf("%s", out)
		}
		p.mustBeEmpty()
		p.must("destroy", "-auto-approve", "-input=false")
	})
}

// TestADataSourceWaitsForTheCluster creates the cluster and reads a data
// source in one run, without deferral.
func TestADataSourceWaitsForTheCluster(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		created := fmt.Sprintf("resource \"terraform_data\" \"cluster\" {\n  input = file(%q)\n}\n", apiServer(t).Kubeconfig)
		provider := accessBlock(t, at, "    kubeconfig_content = terraform_data.cluster.output")
		p.configure(provider, created, "data \"openpai_jobs\" \"all\" {}\n")
		if out, code := p.run("plan", "-input=false"); code != 1 || !strings.Contains(out, "depends_on") {
			t.Errorf("without depends_on: exit code %d\n%s", code, out)
		}
		p.configure(provider, created, "data \"openpai_jobs\" \"all\" {\n  depends_on = [terraform_data.cluster]\n}\n")
		if out := p.apply(); !strings.Contains(out, "1 added, 0 changed, 0 destroyed") {
			t.Errorf("with depends_on:\n%s", out)
		}
		p.mustBeEmpty()
		p.must("destroy", "-auto-approve", "-input=false")
	})
}
