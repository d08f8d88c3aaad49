// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
)

// root is the module directory, relative to this package, in which go
// generate and the tests run.
const root = "../../.."

// registryDirectories are the directories of docs in which tfplugindocs generates
// every file.
var registryDirectories = []string{"actions", "data-sources", "functions", "list-resources", "resources"}

// registryPages generates the pages of the provider with tfplugindocs, from the
// provider's schema and examples/. It returns their contents by the path below docs.
func registryPages() (_ map[string][]byte, err error) {
	temp, err := os.MkdirTemp("", "docgen")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	schema, err := providerSchema()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(temp, "schema.json")
	if err := os.WriteFile(file, schema, 0o600); err != nil {
		return nil, err
	}
	if err := tfplugindocs(file, filepath.Join(temp, "docs")); err != nil {
		return nil, err
	}
	return readFiles(os.DirFS(filepath.Join(temp, "docs")))
}

// tfplugindocs writes the pages with the tool of that name. The tool does not
// need Terraform, because it receives the schema.
func tfplugindocs(schema, out string) error {
	module, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	out, err = filepath.Rel(module, out)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(context.Background(), "go", "tool", "-modfile=.ci/tfplugindocs/go.mod", "tfplugindocs", "generate",
		"--provider-name", "openpai", "--rendered-provider-name", "OpenPAI", "--providers-schema", schema,
		"--rendered-website-dir", out, "--website-source-dir", "internal/tools/docgen/templates")
	cmd.Dir = module
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("generate the pages of the provider: %w\n%s", err, text)
	}
	return nil
}

func readFiles(dir fs.FS) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(dir, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[path], err = fs.ReadFile(dir, path)
		return err
	})
	return files, err
}

// writeRegistryPages writes the pages of all resources, and deletes the pages
// of removed resources.
func writeRegistryPages(docs string) error {
	all, err := registryPages()
	if err != nil {
		return err
	}
	for _, dir := range registryDirectories {
		old, err := os.ReadDir(filepath.Join(docs, dir))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, f := range old {
			name := dir + "/" + f.Name()
			if _, found := all[name]; found {
				continue
			}
			if err := os.Remove(filepath.Join(docs, filepath.FromSlash(name))); err != nil {
				return err
			}
		}
	}
	return writeFiles(docs, all)
}

func writeFiles(dir string, all map[string][]byte) error {
	for name, text := range all {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("create the directory of %s: %w", name, err)
		}
		if err := atomicfile.Write(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
