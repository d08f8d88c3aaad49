//go:build acc && unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
)

// TestTwoClusters runs testdata/clusters on two API servers. No engine runs
// there: jobs wait.
func TestTwoClusters(t *testing.T) {
	var kubeconfigs []string
	for range 2 {
		server, err := apitest.Start(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(server.Stop)
		kubeconfigs = append(kubeconfigs, server.Kubeconfig)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/clusters", RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			for i, name := range []string{"east", "west"} {
				text, err := os.ReadFile(kubeconfigs[i])
				if err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(env.WorkDir, name+".kubeconfig"), text, 0o600); err != nil {
					return err
				}
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": cmdExits, "in-order": cmdInOrder},
	})
}
