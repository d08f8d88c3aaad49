// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const examples = "../../examples"

// needsPreamble reports whether an example lacks the initial blocks of a
// configuration, such as the terraform block.
func needsPreamble(text string) bool { return !strings.Contains(text, "required_providers") }

func TestEveryExampleIsValid(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		found := 0
		err := filepath.WalkDir(examples, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".tf") || strings.Contains(path, "/actions/") || strings.Contains(path, "/platform/") || strings.HasSuffix(path, "/import-by-identity.tf") {
				return err // actions require a newer CLI; platform_test.go applies the platform example
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			found++
			t.Run(strings.TrimPrefix(filepath.ToSlash(path), examples+"/"), func(t *testing.T) {
				p := newProject(t, program)
				name := filepath.Join(p.dir, "main.tf")
				if needsPreamble(string(text)) {
					p.configure(string(text))
				} else {
					write(t, name, string(text))
				}
				p.must("validate")
				p.must("fmt", "-check", name)
			})
			return nil
		})
		if err != nil || found < 15 {
			t.Errorf("%d examples: %v", found, err)
		}
	})
}

func copyExample(t *testing.T, program, name string) *project {
	t.Helper()
	p := newProject(t, program)
	text, err := os.ReadFile(filepath.Join(examples, "terraform", name, "main.tf"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(p.dir, "main.tf"), string(text))
	t.Cleanup(func() { p.run("destroy", "-auto-approve", "-input=false") })
	return p
}

func archive(t *testing.T, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Mode: 0o644, Typeflag: tar.TypeReg}); err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestTheExamplesOfTheSpecificationRun(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		t.Run("mnist", func(t *testing.T) {
			p := copyExample(t, program, "mnist")
			data := archive(t, "7.txt", "seven")
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) }))
			defer server.Close()
			p.env = append(p.env, "TF_VAR_data_url="+server.URL+"/mnist.tar.gz")
			out := p.apply()
			if p.attribute("state") != "SUCCEEDED" || !strings.Contains(out, "prerequisite.script.directory") {
				t.Errorf("%v\n%s", p.attribute("state"), out)
			}
			p.mustBeEmpty()
		})
		t.Run("imagenet", func(t *testing.T) {
			p := copyExample(t, program, "imagenet")
			if err := os.MkdirAll(filepath.Join(p.dir, "storage", "imagenet", "train"), 0o755); err != nil {
				t.Fatal(err)
			}
			p.apply()
			if p.attribute("state") != "SUCCEEDED" {
				t.Errorf("%v", p.attribute("state"))
			}
			p.mustBeEmpty()
		})
		t.Run("debug hook", func(t *testing.T) {
			p := copyExample(t, program, "debug-hook")
			p.env = append(p.env, "TF_VAR_minutes=0")
			if out := p.apply(); p.attribute("state") != "FAILED" || p.attribute("exit_code") != float64(3) || !strings.Contains(out, "The job did not succeed") {
				t.Errorf("%v\n%s", p.attribute("state"), out)
			}
			p.mustBeEmpty()
		})
	})
}
