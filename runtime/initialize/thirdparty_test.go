// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestThirdPartyPluginsOfTheImageAreCopied(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := &Options{Root: filepath.Join(dir, "pai"), SourceDir: filepath.Join(dir, "image")}
	if err := o.copyThirdParty(); err != nil {
		t.Errorf("an image without plugins: %v", err)
	}
	for name, mode := range map[string]os.FileMode{"probe/desc.yaml": 0o600, "probe/bin/init": 0o700} {
		file := filepath.Join(o.SourceDir, "plugins", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(name), mode); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // init runs again after the kubelet restarts the Pod
		if err := o.copyThirdParty(); err != nil {
			t.Fatal(err)
		}
	}
	for name, mode := range map[string]os.FileMode{"probe/desc.yaml": 0o644, "probe/bin/init": 0o755} {
		file := filepath.Join(o.Root, "plugins", name)
		info, err := os.Stat(file)
		if err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, error %v; want %v", name, info, err, mode)
		}
		if text, err := os.ReadFile(file); err != nil || string(text) != name {
			t.Errorf("%s holds %q, error %v", name, text, err)
		}
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(o.SourceDir, "plugins", "probe", "link")); err != nil {
		t.Fatal(err)
	}
	if err := o.copyThirdParty(); err == nil || !strings.Contains(err.Error(), "neither a file nor a directory") {
		t.Errorf("a link: %v", err)
	}
}
