// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
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
}

// started holds the API server of all tests. The first test that needs the server
// starts it.
var started struct {
	sync.Once
	server  *apitest.Server
	clients *authority // for client certificates
	err     error
}

func apiServer(t testing.TB) *apitest.Server {
	t.Helper()
	started.Do(func() {
		var file string
		if started.clients, file, started.err = newAuthority(build.dir); started.err == nil {
			started.server, started.err = apitest.Start(context.Background(), "--client-ca-file="+file)
		}
	})
	if started.err != nil {
		t.Fatal(started.err)
	}
	return started.server
}

func clients(t testing.TB) *authority {
	t.Helper()
	apiServer(t)
	return started.clients
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
	if started.server != nil {
		started.server.Stop()
	}
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
	return nil
}

// commandLines returns the paths of terraform and tofu: programs that environment
// variables name, that .ci/tools has built, or in PATH. One of them is enough for tests
// with [resource.Test].
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
	installed, _ := exec.LookPath("tofu")
	for _, path := range []string{os.Getenv("TF_ACC_TOFU_PATH"), filepath.Join(cache, "terraform-provider-openpai", "tools", "tofu"), installed} {
		if _, err := os.Stat(path); err == nil {
			found["tofu"] = path
			return found, nil
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("found neither terraform nor tofu in PATH or in %s; install one of them, or run .ci/tools", cache)
	}
	fmt.Fprintln(os.Stderr, "found no tofu; tests that need OpenTofu fail until .ci/tools has built it")
	return found, nil
}
