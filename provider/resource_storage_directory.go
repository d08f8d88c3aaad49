package provider

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// inDirectory resolves a host path as the local cluster does.
func inDirectory(dir, written string) string {
	if filepath.IsAbs(written) {
		return written
	}
	return filepath.Join(dir, written)
}

func isDirectory(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

// makeDirectory makes a directory; made is false when it was there.
func makeDirectory(dir string) (made bool, err error) {
	if isDirectory(dir) {
		return false, nil
	}
	return true, os.MkdirAll(dir, 0o755)
}

// removeDirectory removes a directory with all that is in it.
func removeDirectory(dir string) error {
	err := os.RemoveAll(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// madeKey remembers in the private state that the directory is ours.
const madeKey = "made"

func rememberMade(ctx context.Context, private privateWriter, made bool) diag.Diagnostics {
	if !made {
		return nil
	}
	return private.SetKey(ctx, madeKey, []byte("true"))
}

func wasMade(ctx context.Context, private privateReader) bool {
	text, _ := private.GetKey(ctx, madeKey)
	return string(text) == "true"
}
