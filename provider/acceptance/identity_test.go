// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/go-version"
)

// version returns the version of the CLI.
func (p *project) version() *version.Version {
	p.t.Helper()
	var output struct {
		Version string `json:"terraform_version"`
	}
	if err := json.Unmarshal([]byte(p.must("version", "-json")), &output); err != nil {
		p.t.Fatal(err)
	}
	v, err := version.NewVersion(output.Version)
	if err != nil {
		p.t.Fatal(err)
	}
	return v.Core()
}

// knowsIdentities reports whether the CLI supports import by identity
// (Terraform and OpenTofu 1.12 or later).
func (p *project) knowsIdentities() bool {
	p.t.Helper()
	return p.version().GreaterThanOrEqual(version.Must(version.NewVersion("1.12.0")))
}

// knowsEphemeralValues reports whether variables can be ephemeral (Terraform 1.10
// or later, OpenTofu 1.11 or later).
func (p *project) knowsEphemeralValues() bool {
	p.t.Helper()
	minimum := "1.10.0"
	if p.program != build.programs["terraform"] {
		minimum = "1.11.0"
	}
	return p.version().GreaterThanOrEqual(version.Must(version.NewVersion(minimum)))
}

// isTerraform reports whether the CLI is Terraform with at least the
// given version.
func (p *project) isTerraform(minimum string) bool {
	p.t.Helper()
	return p.program == build.programs["terraform"] && p.version().GreaterThanOrEqual(version.Must(version.NewVersion(minimum)))
}

func TestEveryResourceIsImportedByIdentity(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := localEnvironment(t, p.dir)
		if !p.knowsIdentities() {
			if program == "tofu" {
				t.Fatal("this OpenTofu is older than the tests require")
			}
			return // other tests cover import by ID
		}
		storage := "resource \"openpai_storage\" \"data\" {\n  name      = \"data\"\n  host_path = \"data\"\n}\n"
		declared := []string{at.provider, storage, published("market", "1.0", "echo hello"), job("true", 1,
			"wait_for = \"completed\"\n  storage  = [{ use = openpai_storage.data.definition, mount_path = \""+p.dir+"/data\" }]")}
		p.configure(declared...)
		p.apply()
		p.mustBeEmpty()
		imports := ""
		for address, identity := range map[string]string{
			"openpai_job.mnist":              `{ name = "mnist", cluster = "local" }`,
			"openpai_prerequisite.greet":     `{ type = "script", name = "greet" }`,
			"openpai_storage.data":           `{ name = "data" }`,
			"openpai_marketplace_item.greet": `{ to = "market", name = "greet" }`,
		} {
			p.must("state", "rm", address)
			imports += fmt.Sprintf("import {\n  to       = %s\n  identity = %s\n}\n", address, identity)
		}
		p.configure(append(declared, imports)...)
		p.apply()
		p.mustBeEmpty()
		p.must("destroy", "-auto-approve", "-input=false")
	})
}

// TestTheExamplesOfImportsByIdentityAreValid validates each import example
// together with the example for its resource.
func TestTheExamplesOfImportsByIdentityAreValid(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		if p := newProject(t, program); !p.knowsIdentities() {
			return
		}
		found, err := filepath.Glob(examples + "/resources/*/import-by-identity.tf")
		if err != nil || len(found) != 4 {
			t.Fatal(found, err)
		}
		for _, file := range found {
			p := newProject(t, program)
			p.configure(read(t, filepath.Join(filepath.Dir(file), "resource.tf")))
			write(t, filepath.Join(p.dir, "import.tf"), read(t, file))
			p.must("validate")
			p.must("fmt", "-check", "import.tf")
		}
	})
}

// TestAnIdentityOfAnotherNamespaceIsNotImported imports a Kubernetes job by
// identity. The import must fail for a different namespace, and succeed for
// the namespace of the job.
func TestAnIdentityOfAnotherNamespaceIsNotImported(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		if !p.knowsIdentities() {
			return
		}
		at := kubernetesEnvironment(t, p.dir)
		p.configure(at.provider, job("sleep 1000", 1, ""))
		p.apply()
		p.must("state", "rm", "openpai_job.mnist")
		by := func(namespace string) string {
			return fmt.Sprintf("import {\n  to       = openpai_job.mnist\n  identity = { name = \"mnist\", cluster = %q, namespace = %q }\n}\n", apiServer(t).Config.Host, namespace)
		}
		p.configure(at.provider, job("sleep 1000", 1, ""), by("default"))
		if out, code := p.run("plan", "-input=false"); code == 0 || !strings.Contains(out, "The identity belongs to the namespace \"default\"") {
			t.Errorf("%d\n%s", code, out)
		}
		p.configure(at.provider, job("sleep 1000", 1, ""), by(namespaceOf(at)))
		p.apply()
		p.mustBeEmpty()
		p.configure(at.provider, job("sleep 1000", 2, ""))
		p.apply()
		p.mustBeEmpty()
		p.must("destroy", "-auto-approve", "-input=false")
	})
}
