// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestMakeInstallServesInit(t *testing.T) {
	home := t.TempDir()
	plugins := filepath.Join(home, ".terraform.d", "plugins")
	cmd := exec.Command("make", "install", "PLUGINS="+plugins)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(cmd.Environ(), "GOBIN="+home)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("make install: %v\n%s", err, out)
	}
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		write(t, filepath.Join(filepath.Dir(p.dir), "cli.rc"), "provider_installation {\n  filesystem_mirror {\n    path = \""+filepath.ToSlash(plugins)+"\"\n  }\n}\n")
		p.configure(localEnvironment(t, p.dir).provider, job("true", 1, ""))
		if out := p.must("init", "-input=false"); !strings.Contains(out, "openpai/openpai v0.0.1") {
			t.Errorf("%s", out)
		}
		p.apply()
		p.mustBeEmpty()
		p.must("destroy", "-auto-approve", "-input=false")
	})
}
