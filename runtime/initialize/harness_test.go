// SPDX-License-Identifier: MPL-2.0

//go:build unix

package initialize

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// box is an init container. All of its files are below one directory.
type box struct {
	t    *testing.T
	dir  string
	env  map[string]string
	out  bytes.Buffer
	opts Options
}

func newBox(t *testing.T) *box {
	dir := t.TempDir()
	// With this UID, the Pod's ports are below the ephemeral port range.
	b := &box{t: t, dir: dir, env: map[string]string{"PATH": os.Getenv("PATH"), "FC_POD_UID": "uid-7"}}
	for _, d := range []string{"config", "image/init.d"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	b.write("termination", "")
	b.opts = Options{
		Root: filepath.Join(dir, "pai"), ConfigDirs: []string{filepath.Join(dir, "config")}, SourceDir: filepath.Join(dir, "image"),
		LogDir: filepath.Join(dir, "pai/logs/uid-7"), SecretsDir: filepath.Join(dir, "pai/secrets"), TokenDir: filepath.Join(dir, "token"),
		TerminationFile: filepath.Join(dir, "termination"),
		Getenv:          func(name string) string { return b.env[name] }, Stdout: &b.out, Stderr: &b.out, Now: time.Now,
	}
	return b
}

func (b *box) write(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o755); err != nil {
		b.t.Fatal(err)
	}
}

func (b *box) read(name string) string {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(b.dir, name))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

func (b *box) run(want int) {
	b.t.Helper()
	b.out.Reset()
	for name, value := range b.env {
		b.opts.Environ = append(b.opts.Environ, name+"="+value)
	}
	if code := Run(b.t.Context(), b.opts); code != want {
		b.t.Errorf("exit code %d, want %d\n%s", code, want, &b.out)
	}
}

func (b *box) expect(texts ...string) {
	b.t.Helper()
	for _, text := range texts {
		if !strings.Contains(b.out.String(), text) {
			b.t.Errorf("%q is not in\n%s", text, &b.out)
		}
	}
}

func (b *box) spec() *runspec.Spec {
	b.t.Helper()
	s, err := runspec.Read(filepath.Join(b.opts.Root, RunSpecFile))
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}
