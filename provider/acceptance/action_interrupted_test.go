// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package acceptance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAnInterruptedActionFails interrupts Terraform during a prefetch. The
// command must fail. Without a final event from the provider, Terraform would
// report success.
func TestAnInterruptedActionFails(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		if !p.isTerraform("1.14.0") {
			return // this version does not support actions; protocol tests cover them
		}
		at := localEnvironment(t, p.dir)
		p.configure(at.provider, job("sleep 1000", 1, ""), strings.Replace(filled, "echo hello >", "touch $PAI_STORAGE_DATA/begun; sleep 1000; echo hello >", 1))
		p.apply()
		jobs := func() int {
			all, _ := filepath.Glob(filepath.Join(p.dir, ".openpai", "frameworks", "*"))
			return len(all)
		}
		for name, reached := range map[string]func() bool{
			"while the job is submitted": func() bool { return jobs() == 2 },
			"while the job runs":         func() bool { _, err := os.Stat(filepath.Join(p.dir, "data", "begun")); return err == nil },
		} {
			_ = os.Remove(filepath.Join(p.dir, "data", "begun"))
			interrupted := p.begin("apply", "-auto-approve", "-input=false", "-invoke=action.openpai_storage_prefetch.fill")
			p.await(reached)
			if err := interrupted.cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if out, code := interrupted.wait(); code == 0 || jobs() != 1 {
				t.Errorf("%s: exit code %d, %d jobs\n%s", name, code, jobs(), out)
			}
		}
		p.must("destroy", "-auto-approve", "-input=false")
	})
}
