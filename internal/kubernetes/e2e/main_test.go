// SPDX-License-Identifier: MPL-2.0

//go:build e2e && acc

package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
)

const machine = runtime.GOARCH

// All tests in this package share a cluster, an image registry and the openpai
// binary. .ci/e2e builds the binary and the runtime into one directory.
var (
	server  *apitest.Server
	images  string
	openpai = filepath.Join(os.Getenv("OPENPAI_E2E_BIN"), "openpai")
)

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	if os.Getenv("OPENPAI_E2E_BIN") == "" {
		return 1, errors.New("run .ci/e2e, which creates the namespaces that the node needs")
	}
	if server, err = apitest.Start(context.Background(), apitest.NodeFlags...); err != nil {
		return 1, err
	}
	defer server.Stop()
	if err := permitHostPaths(server); err != nil {
		return 1, fmt.Errorf("write the table of permitted storages: %w", err)
	}
	if images, err = serveImages(); err != nil {
		return 1, fmt.Errorf("serve images: %w", err)
	}
	if err := server.StartNode(context.Background(), images+"/pause:e2e"); err != nil {
		return 1, fmt.Errorf("%w\nkubelet: %s\ncontainerd: %s", err, server.Log("kubelet"), server.Log("containerd"))
	}
	return m.Run(), nil
}

// permitHostPaths writes the administrator's table of storage permissions.
// The table permits alice to mount the temporary directories.
func permitHostPaths(server *apitest.Server) error {
	rules := "storages:\n  - storage: host_path" + os.TempDir() + "\n    users: [alice]\n"
	_, err := server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace("default").Create(context.Background(),
		&unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": contract.StoragePermissions},
			"data": map[string]any{contract.StoragePermissionsKey: rules},
		}}, metav1.CreateOptions{})
	return err
}
