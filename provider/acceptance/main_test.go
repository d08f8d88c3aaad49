// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
	"github.com/openpai/terraform-provider-openpai/internal/local"
	_ "github.com/openpai/terraform-provider-openpai/provider" // makes go test ignore cached results if the provider has changed
)

// build holds the programs for all tests of this package.
var build struct {
	dir      string // contains the programs
	programs map[string]string
	server   *apitest.Server
	clients  *authority // for client certificates
}

func TestMain(m *testing.M) {
	if code, handled := local.Entrypoint(os.Args); handled {
		os.Exit(code)
	}
	resource.TestMain(suite{m}) // runs the sweepers if -sweep is set
}

// suite holds the tests of the package and runs them with their setup.
type suite struct{ *testing.M }

// Run implements the interface that [resource.TestMain] requires.
func (s suite) Run() int {
	if err := prepare(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := s.M.Run()
	build.server.Stop()
	_ = os.RemoveAll(build.dir)
	return code
}

func prepare() (err error) {
	if build.dir, err = os.MkdirTemp("", "openpai-provider-"); err != nil {
		return err
	}
	for program, pkg := range map[string]string{"terraform-provider-openpai": "", "openpai": "/cmd/openpai"} {
		out, err := exec.Command("go", "build", "-o", filepath.Join(build.dir, program), "github.com/openpai/terraform-provider-openpai"+pkg).CombinedOutput()
		if err != nil {
			return fmt.Errorf("build %s: %w\n%s", program, err, out)
		}
	}
	if build.programs, err = commandLines(); err != nil {
		return err
	}
	if err := useProgram(build.programs); err != nil {
		return err
	}
	var file string
	if build.clients, file, err = newAuthority(build.dir); err != nil {
		return err
	}
	build.server, err = apitest.Start(context.Background(), "--client-ca-file="+file)
	return err
}

// commandLines returns the paths of tofu, which .ci/tools builds, and
// terraform, which is optional.
func commandLines() (map[string]string, error) {
	found := map[string]string{}
	if named := os.Getenv("TF_ACC_TERRAFORM_PATH"); named != "" {
		found["terraform"] = named
	} else if path, err := exec.LookPath("terraform"); err == nil {
		found["terraform"] = path
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("find the tools: %w", err)
	}
	for _, path := range []string{os.Getenv("TF_ACC_TOFU_PATH"), filepath.Join(cache, "terraform-provider-openpai", "tools", "tofu")} {
		if _, err := os.Stat(path); err == nil {
			found["tofu"] = path
			return found, nil
		}
	}
	return nil, fmt.Errorf("no tofu in %s; run .ci/tools first", cache)
}
