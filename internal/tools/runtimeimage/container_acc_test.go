// SPDX-License-Identifier: MPL-2.0

//go:build acc && linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// container is an unpacked image for the local architecture.
type container struct {
	root     string
	cmd, env []string
}

func newContainer(t *testing.T, name string) *container {
	t.Helper()
	image := image(t, filepath.Join(dist, name), runtime.GOARCH)
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	c := &container{root: unpack(t, image), cmd: config.Config.Cmd, env: append(config.Config.Env, "FC_POD_UID=one")}
	for _, dir := range []string{"proc", "dev", "usr/local/pai"} { // like container engines
		if err := os.MkdirAll(filepath.Join(c.root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// run executes a program with chroot. Like a container engine, it mounts
// /proc and /dev.
func (c *container) run(t *testing.T, env []string, argv ...string) (string, error) {
	t.Helper()
	args := []string{"--mount", "--net", "--pid", "--fork"}
	if os.Geteuid() != 0 {
		args = append(args, "--user", "--map-root-user")
	}
	const enter = `mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; exec env -i "$@"`
	args = append(append(append(args, "sh", "-euc", enter, c.root), c.env...), env...)
	args = append(append(args, "chroot", c.root), argv...)
	out, err := exec.CommandContext(t.Context(), "unshare", args...).CombinedOutput()
	return string(out), err
}

func (c *container) write(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(c.root, name), []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

const job = `RUNTIME_CONFIG={commands: ["echo the data is in $DATASETS"]}`

func TestInitPluginsThatAreScriptsRunInTheImageWithAShell(t *testing.T) {
	c := newContainer(t, "runtime-shell")
	c.write(t, "etc/openpai/init.d/10-site", "#!/bin/sh\nset -eu\necho \"DATASETS=/mnt/$(basename \"$1\" .sets | tr a-z A-Z)\" >\"$PAI_RUNTIME_DIR/env\"\n", 0o755)
	c.write(t, "etc/openpai/init_plugins.yaml", `initPlugins:
  - name: portChecker
  - name: site
    command: for f in a.sets data.sets; do [ $f = a.sets ] || ./10-site "/x/$f"; done && env | sed -n 's/^PAI_WORK_DIR=/work in /p'
`, 0o644)
	out, err := c.run(t, []string{job}, c.cmd...)
	if err != nil || !strings.Contains(out, "work in /usr/local/pai\n") {
		t.Fatalf("init: %v\n%s", err, out)
	}
	var programs [2][]byte
	for i, name := range []string{"usr/local/bin/openpai-runtime", "usr/local/pai/runtime"} {
		if programs[i], err = os.ReadFile(filepath.Join(c.root, name)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(programs[0], programs[1]) {
		t.Error("the runtime in the volume differs from the runtime in the image")
	}
	if out, err = c.run(t, nil, "/usr/local/pai/runtime"); err != nil || !strings.Contains(out, "the data is in /mnt/DATA\n") {
		t.Errorf("the task: %v\n%s", err, out)
	}
}

func TestTheNamesOfTheAppletsAreThoseOfTheShell(t *testing.T) {
	c := newContainer(t, "runtime-shell")
	out, err := c.run(t, nil, "/bin/sh", "-c", "busybox --list-full | grep -v -x -e linuxrc -e bin/busybox | sort")
	if err != nil {
		t.Fatal(err)
	}
	listed, err := os.ReadFile(filepath.Join("..", "..", "runtimeimage", "applets.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(listed), out); diff != "" {
		t.Errorf("applets.txt (-listed +there)\n%s", diff)
	}
	if out, err = c.run(t, nil, "/bin/sh", "-c", `id -un; awk 'BEGIN { print 6 * 7 }'; ls -ld /tmp | cut -c1-10; head -c1 /usr/share/doc/busybox-static/copyright | wc -c`); err != nil || out != "root\n42\ndrwxrwxrwt\n1\n" {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestInitPluginsThatArePlainCommandsRunInTheStaticImage(t *testing.T) {
	c := newContainer(t, "runtime-static")
	plugin := func(command string) string {
		return "INIT_CONFIG={initPlugins: [{name: site, command: '" + command + "'}]}"
	}
	out, err := c.run(t, []string{job, plugin("openpai-runtime version")}, c.cmd...)
	if err != nil || !strings.Contains(out, "] openpai-runtime v1\n") {
		t.Errorf("init: %v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(c.root, "usr/local/pai/runtime")); err != nil {
		t.Error(err)
	}
	if out, err = c.run(t, []string{job, plugin("openpai-runtime version | cat")}, c.cmd...); err == nil || !strings.Contains(out, "use the runtime image with a shell") {
		t.Errorf("shell text: %v\n%s", err, out)
	}
}
