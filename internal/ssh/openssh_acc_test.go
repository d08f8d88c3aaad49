// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package ssh

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// openssh runs the system's OpenSSH clients with the configuration of a task.
type openssh struct {
	*house
	config string
}

func newOpenSSH(t *testing.T) *openssh {
	t.Helper()
	h := newHouse(t)
	config, err := WriteClientFiles(t.TempDir(), h.key, []Peer{{Names: []string{"worker-0"}, Address: h.addr()}})
	if err != nil {
		t.Fatal(err)
	}
	return &openssh{h, config}
}

// command returns an ssh, scp or sftp command with the configuration.
func (o *openssh) command(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(o.Context(), name, append([]string{"-F", o.config, "-o", "BatchMode=yes"}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + o.dir}
	return cmd
}

func (o *openssh) run(name string, args ...string) (out string, code int) {
	o.Helper()
	text, err := o.command(name, args...).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return string(text), exit.ExitCode()
	case err != nil:
		o.Fatal(err)
	}
	return string(text), 0
}

func TestOpenSSHRunsCommands(t *testing.T) {
	t.Parallel()
	o := newOpenSSH(t)
	for name, c := range map[string]struct {
		args []string
		out  string
		code int
	}{
		"the environment":      {[]string{"worker-0", "echo $COLOR"}, "green\n", 0},
		"the exit code":        {[]string{"worker-0", "exit 42"}, "", 42},
		"a terminal":           {[]string{"-tt", "-q", "worker-0", "test -t 0 && echo $COLOR"}, "green\r\n", 0},
		"through another task": {[]string{"-J", "worker-0", "worker-0", "echo jumped"}, "jumped\n", 0},
		"an unknown alias":     {[]string{"-o", "ConnectTimeout=1", "worker-0.invalid", "true"}, "", 255},
	} {
		out, code := o.run("ssh", c.args...)
		if code != c.code || c.code != 255 && out != c.out {
			t.Errorf("%s: printed %q, code %d", name, out, code)
		}
	}
}

func TestOpenSSHOpensAShell(t *testing.T) {
	t.Parallel()
	o := newOpenSSH(t)
	cmd := o.command("ssh", "-tt", "worker-0")
	cmd.Stdin = strings.NewReader("echo color=$COLOR; exit 5\n")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 5 || !bytes.Contains(out, []byte("color=green")) {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestOpenSSHCopiesFiles(t *testing.T) {
	t.Parallel()
	o := newOpenSSH(t)
	local := t.TempDir()
	sent := bytes.Repeat([]byte("0123456789abcdef\x00\n"), 1<<17)
	if err := os.WriteFile(filepath.Join(local, "a"), sent, 0o640); err != nil {
		t.Fatal(err)
	}
	steps := [][]string{
		{"scp", "-p", filepath.Join(local, "a"), "worker-0:b"},
		{"scp", "worker-0:b", filepath.Join(local, "c")},
	}
	for _, s := range steps {
		if out, code := o.run(s[0], s[1:]...); code != 0 {
			t.Fatalf("%v: code %d\n%s", s, code, out)
		}
	}
	batch := o.command("sftp", "-b", "-", "worker-0")
	batch.Stdin = strings.NewReader("mkdir d\nput " + filepath.Join(local, "c") + " d/e\nrename d/e d/f\nget d/f " + filepath.Join(local, "g") + "\nls -l d\n")
	if out, err := batch.CombinedOutput(); err != nil {
		t.Fatalf("sftp: %v\n%s", err, out)
	}
	for _, name := range []string{filepath.Join(local, "c"), filepath.Join(local, "g"), filepath.Join(o.dir, "b")} {
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, sent) {
			t.Errorf("%s: %d bytes of %d, error %v", name, len(got), len(sent), err)
		}
	}
	if info, err := os.Stat(filepath.Join(o.dir, "b")); err != nil || info.Mode() != 0o640 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
}

func TestOpenSSHForwardsPorts(t *testing.T) {
	t.Parallel()
	o := newOpenSSH(t)
	target, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	echo(t, target)
	for _, option := range []string{"-L", "-R"} {
		probe, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := strconv.Itoa(probe.Addr().(*net.TCPAddr).Port)
		_ = probe.Close()
		cmd := o.command("ssh", "-N", "-o", "ExitOnForwardFailure=yes", option, port+":"+target.Addr().String(), "worker-0")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var conn net.Conn
		o.eventually("the port "+option+" opens", func() bool {
			conn, err = net.Dial("tcp", "127.0.0.1:"+port)
			return err == nil
		})
		if got := talk(t, conn, nil); got != "HELLO" {
			t.Errorf("%s: answer %q", option, got)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}

func TestOpenSSHIsRefused(t *testing.T) {
	t.Parallel()
	o := newOpenSSH(t)
	other := newKey(t)
	identity := filepath.Join(t.TempDir(), "id")
	if err := os.WriteFile(identity, []byte(other.text), 0o600); err != nil {
		t.Fatal(err)
	}
	stranger := []string{"-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "IdentitiesOnly=yes"}
	host, port, err := net.SplitHostPort(o.addr())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args   []string
		output string
	}{
		"the key of another job": {append(stranger, "-i", identity, "-p", port, "root@"+host, "true"), "Permission denied (publickey)"},
		"no key":                 {append(stranger, "-o", "PubkeyAuthentication=no", "-p", port, "root@"+host, "true"), "Permission denied (publickey)"},
	} {
		if out, code := o.run("ssh", c.args...); code != 255 || !strings.Contains(out, c.output) {
			t.Errorf("%s: code %d\n%s", name, code, out)
		}
	}
	// The client must not trust a different host key, even if the host would
	// accept the login.
	impostor := newHouseWith(t, other)
	impostor.Authorize(o.key.Public())
	config, err := WriteClientFiles(t.TempDir(), o.key, []Peer{{Names: []string{"worker-0"}, Address: impostor.addr()}})
	if err != nil {
		t.Fatal(err)
	}
	if out, code := o.run("ssh", "-F", config, "worker-0", "true"); code != 255 || !strings.Contains(out, "Host key verification failed") {
		t.Errorf("login to a host with another key: code %d\n%s", code, out)
	}
}
