// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// TestTheClusterIsChecked checks that the data source returns the results of
// `openpai cluster check`.
func TestTheClusterIsChecked(t *testing.T) {
	first := map[string]string{"local": "machine", "kubernetes": "API server"}
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				p.configure(open(t, p.dir).provider, "data \"openpai_cluster\" \"here\" {}\n\noutput \"here\" {\n  value = data.openpai_cluster.here\n}\n")
				p.apply()
				var here struct {
					Kind      string `json:"kind"`
					Reachable bool   `json:"reachable"`
					Checks    []struct{ Check, Result, Found, Advice string }
				}
				if err := json.Unmarshal([]byte(p.must("output", "-json", "here")), &here); err != nil {
					t.Fatal(err)
				}
				if here.Kind != name || !here.Reachable || len(here.Checks) < 4 || here.Checks[0].Check != first[name] || here.Checks[0].Result != "ok" {
					t.Errorf("%+v", here)
				}
				for _, c := range here.Checks {
					if c.Result == "missing" && c.Advice == "" {
						t.Errorf("no advice: %+v", c)
					}
				}
			})
		}
	})
}

// TestADefaultOfTheProviderBlockChangesJobs changes max_run_time in the
// provider block, which is the default for all jobs. The plan must replace a
// job that uses the default.
func TestADefaultOfTheProviderBlockChangesJobs(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		p.configure(at.provider, job("sleep 1000", 1, ""))
		p.apply()
		if err := at.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		waitFor(t, at, cluster.Running)
		p.apply("-refresh-only")
		block := strings.Replace(at.provider, "kubernetes {", "kubernetes {\n    max_run_time  = \"1h\"", 1)
		p.configure(block, job("sleep 1000", 1, ""))
		expect(t, p, "delete create", `  task_role["worker"].max_run_time`)
		p.apply()
		p.mustBeEmpty()
		p.configure(strings.Replace(block, `"1h"`, `"60m"`, 1), job("sleep 1000", 1, ""))
		p.mustBeEmpty()
		p.configure(at.provider, job("sleep 1000", 1, ""))
		expect(t, p, "delete create", "")
	})
}

// TestAJobOfAnotherNamespaceIsLeftBehind changes the namespace in the
// provider block while a job is running. The plan must warn that the job
// remains in the old namespace.
func TestAJobOfAnotherNamespaceIsLeftBehind(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		p.configure(at.provider, job("sleep 1000", 1, ""))
		p.apply()
		p.configure(strings.Replace(at.provider, namespaceOf(at), "default", 1), job("sleep 1000", 1, ""))
		expect(t, p, "create", "Warning: A job remains in its former location")
		p.configure(at.provider, job("sleep 1000", 1, ""))
		p.mustBeEmpty()
	})
}
