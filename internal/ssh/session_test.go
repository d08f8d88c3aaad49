// SPDX-License-Identifier: MPL-2.0

//go:build unix

package ssh

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
)

func TestCommandsRunInTheTask(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for name, c := range map[string]struct {
		command, stdout, stderr string
		code                    int
		signal                  string
	}{
		"both streams":                          {"echo out; echo err >&2", "out\n", "err\n", 0, ""},
		"the exit code":                         {"exit 42", "", "", 42, ""},
		"a signal":                              {"kill -TERM $$", "", "", 143, "TERM"},
		"a signal without a name":               {"kill -VTALRM $$", "", "", 154, ""},
		"the environment of the task":           {"echo $COLOR $LC_ALL", "green C\n", "", 0, ""},
		"where it runs":                         {"[ $(pwd -P) = " + h.dir + " ] && echo here", "here\n", "", 0, ""},
		"no terminal":                           {"test -t 0 || echo none", "none\n", "", 0, ""},
		"output that other processes hold open": {"sleep 5 & echo done", "done\n", "", 0, ""},
		"a command that does not exist":         {"no-such-command 2>/dev/null", "", "", 127, ""},
		"the shell of the session":              {"echo $SHELL", "/bin/sh\n", "", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, err := h.sh(c.command)
			if stdout != c.stdout || stderr != c.stderr {
				t.Errorf("printed %q and %q", stdout, stderr)
			}
			var exit *ssh.ExitError
			if !errors.As(err, &exit) {
				if err != nil || c.code != 0 {
					t.Errorf("error %v, want code %d", err, c.code)
				}
				return
			}
			if exit.ExitStatus() != c.code || exit.Signal() != c.signal {
				t.Errorf("code %d, signal %q; want %d, %q", exit.ExitStatus(), exit.Signal(), c.code, c.signal)
			}
		})
	}
}

func TestInputAndOutputArriveWhole(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	s := h.session()
	sent := bytes.Repeat([]byte("0123456789abcde\n"), 1<<18) // 4 MiB
	var got bytes.Buffer
	s.Stdin, s.Stdout = bytes.NewReader(sent), &got
	if err := s.Run("cat"); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(sent, got.Bytes()) {
		t.Errorf("received %d bytes of %d", got.Len(), len(sent))
	}
}

func TestAShellGetsTheTerminalSettingsOfTheClient(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	s := h.session()
	if err := s.RequestPty("vt100", 24, 80, ssh.TerminalModes{}); err != nil {
		t.Fatal(err)
	}
	in, err := s.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	s.Stdout = &out
	if err := s.Shell(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, "stty size >first; test -t 1 && echo $TERM $COLOR >kind; echo $SSH_TTY >tty; tty >>tty\n"); err != nil {
		t.Fatal(err)
	}
	h.eventually("the shell has read its terminal settings", func() bool { return len(strings.Fields(h.file("tty"))) == 2 })
	if h.file("first") != "24 80" || h.file("kind") != "vt100 green" {
		t.Errorf("size %q, kind %q\n%s", h.file("first"), h.file("kind"), out.String())
	}
	if f := strings.Fields(h.file("tty")); f[0] != f[1] {
		t.Errorf("terminals %q", f)
	}
	if err := s.WindowChange(50, 132); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, "while [ \"$(stty size)\" != '50 132' ]; do sleep 0.01; done; exit 7\n"); err != nil {
		t.Fatal(err)
	}
	var exit *ssh.ExitError
	if err := s.Wait(); !errors.As(err, &exit) || exit.ExitStatus() != 7 {
		t.Errorf("ended with %v\n%s", err, out.String())
	}
}

func TestWhoHangsUpEndsTheShell(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	s := h.session()
	if err := s.RequestPty("vt100", 24, 80, ssh.TerminalModes{}); err != nil {
		t.Fatal(err)
	}
	if err := s.Start("trap 'echo hung >hup; exit' HUP; echo up >up; while :; do sleep 0.02; done"); err != nil {
		t.Fatal(err)
	}
	h.eventually("the command runs", func() bool { return h.file("up") == "up" })
	_ = s.Close()
	h.eventually("it receives the signal", func() bool { return h.file("hup") == "hung" })
}

func TestASignalFromTheClientReachesTheCommand(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	s := h.session()
	if err := s.Start("trap 'exit 9' USR1; echo up >up; while :; do sleep 0.02; done"); err != nil {
		t.Fatal(err)
	}
	h.eventually("the command runs", func() bool { return h.file("up") == "up" })
	if err := s.Signal(ssh.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	var exit *ssh.ExitError
	if err := s.Wait(); !errors.As(err, &exit) || exit.ExitStatus() != 9 {
		t.Errorf("ended with %v", err)
	}
}

func TestAClientMaySetOnlyLocaleVariables(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for name, used := range map[string]bool{"LANG": true, "LC_TIME": true, "COLOR": false, "LD_PRELOAD": false, "PATH": false} {
		s := h.session()
		if err := s.Setenv(name, "client"); (err == nil) != used {
			t.Errorf("%s: error %v", name, err)
		}
	}
	s := h.session()
	_ = s.Setenv("LC_ALL", "client")
	_ = s.Setenv("LANG", "client")
	if out, err := s.Output("echo $LC_ALL $LANG"); err != nil || string(out) != "C client\n" {
		t.Errorf("printed %q, error %v; want the task's own value", out, err)
	}
}

func TestFilesGoAndComeBack(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	client, err := sftp.NewClient(h.client())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	sent := bytes.Repeat([]byte{0, 1, 2, '\r', '\n', 255}, 100_000)
	f, err := client.Create("weights.bin") // relative to the working directory of sessions
	if err == nil {
		_, err = f.ReadFrom(bytes.NewReader(sent))
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	if f, err = client.Open(h.dir + "/weights.bin"); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(f)
	if err != nil || !bytes.Equal(got, sent) {
		t.Errorf("received %d bytes of %d, error %v", len(got), len(sent), err)
	}
	out, _, _ := h.sh("sha256sum weights.bin | cut -d' ' -f1")
	if want := fmt.Sprintf("%x\n", sha256.Sum256(sent)); out != want {
		t.Errorf("the task has %s, want %s", out, want)
	}
}

func TestTheLogNamesTheKeyOfASession(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	if _, _, err := h.sh("true"); err != nil {
		t.Fatal(err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.log) != 1 || !strings.HasPrefix(h.log[0], "ssh session from 127.0.0.1:") || !strings.HasSuffix(h.log[0], ssh.FingerprintSHA256(h.key.Public())) {
		t.Errorf("log %q", h.log)
	}
}
