// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"os"
	"path/filepath"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// resolveHostPath resolves a host path in the same way as the local cluster.
func resolveHostPath(dir, written string) string {
	if filepath.IsAbs(written) {
		return written
	}
	return filepath.Join(dir, written)
}

func isDirectory(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

// createDirectory creates a directory. It returns false if the directory
// already existed.
func createDirectory(dir string) (made bool, err error) {
	if isDirectory(dir) {
		return false, nil
	}
	return true, os.MkdirAll(dir, 0o755)
}

// createdKey is the private-state key that marks a directory as created by the
// resource.
const createdKey = "made"

func markCreated(ctx context.Context, private privateWriter, made bool) diag.Diagnostics {
	if !made {
		return nil
	}
	return private.SetKey(ctx, createdKey, []byte("true"))
}

func wasCreated(ctx context.Context, private privateReader) bool {
	text, _ := private.GetKey(ctx, createdKey)
	return string(text) == "true"
}
