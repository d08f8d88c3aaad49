// SPDX-License-Identifier: MPL-2.0

//go:build unix

package ssh

import (
	"bytes"
	"crypto/rand"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// TestMain catches SIGHUP, as the runtime does. Otherwise, child processes could
// inherit an ignored SIGHUP, for example under nohup.
func TestMain(m *testing.M) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	os.Exit(m.Run())
}

// child is a process that the test started for a session.
type child struct{ *os.Process }

func (c child) Wait() (int, syscall.Signal) {
	state, err := c.Process.Wait()
	if err != nil {
		return 1, 0
	}
	status := state.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return 0, status.Signal()
	}
	return status.ExitStatus(), 0
}

func (c child) Signal(s syscall.Signal) { _ = syscall.Kill(-c.Pid, s) }

func startChild(c Command) (Process, error) {
	p, err := os.StartProcess(c.Argv[0], c.Argv, &os.ProcAttr{Dir: c.Dir, Env: c.Environ, Files: c.Files, Sys: c.Attributes()})
	return child{p}, err
}

// house is a test server with the job key and helper methods for clients.
type house struct {
	*testing.T
	*Server
	key *JobKey
	dir string

	mu   sync.Mutex
	log  []string
	once sync.Once
}

// shut closes the server once.
func (h *house) shut() { h.once.Do(func() { h.Close(0) }) }

func newKey(t *testing.T) *JobKey {
	t.Helper()
	text, err := NewJobKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ParseJobKey(text)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func newHouse(t *testing.T) *house { return newHouseWith(t, newKey(t)) }

func newHouseWith(t *testing.T, key *JobKey) *house {
	t.Helper()
	h := &house{T: t, key: key, dir: t.TempDir()}
	var err error
	h.Server, err = Listen(Options{
		Key: key, Address: "127.0.0.1:0", Dir: h.dir, Shell: "/bin/sh", Start: startChild,
		Environ: func() []string { return []string{"PATH=" + os.Getenv("PATH"), "COLOR=green", "LC_ALL=C"} },
		Log: func(text string) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.log = append(h.log, text)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.shut() })
	return h
}

func (h *house) addr() string { return h.Address().String() }

func (h *house) client() *ssh.Client {
	h.Helper()
	c, err := Dial(h.Context(), h.addr(), h.key)
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() { _ = c.Close() })
	return c
}

func (h *house) session() *ssh.Session {
	h.Helper()
	s, err := h.client().NewSession()
	if err != nil {
		h.Fatal(err)
	}
	return s
}

// sh runs a command in a new session.
func (h *house) sh(command string) (stdout, stderr string, err error) {
	h.Helper()
	s := h.session()
	var out, errs bytes.Buffer
	s.Stdout, s.Stderr = &out, &errs
	err = s.Run(command)
	return out.String(), errs.String(), err
}

// eventually fails the test if the condition is not true within one minute.
func (h *house) eventually(what string, condition func() bool) {
	h.Helper()
	for deadline := time.Now().Add(time.Minute); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			h.Fatalf("never: %s", what)
		}
	}
}

func (h *house) file(name string) string {
	text, _ := os.ReadFile(filepath.Join(h.dir, name))
	return strings.TrimSpace(string(text))
}

// login accepts any host key.
func login(signer ssh.Signer) *ssh.ClientConfig {
	return &ssh.ClientConfig{
		User: "someone", Auth: []ssh.AuthMethod{ssh.PublicKeys(signer)}, Timeout: time.Minute,
		HostKeyCallback: func(string, net.Addr, ssh.PublicKey) error { return nil },
	}
}

func newClientConn(conn net.Conn, addr string, key *JobKey) (ssh.Conn, <-chan ssh.NewChannel, <-chan *ssh.Request, error) {
	return ssh.NewClientConn(conn, addr, login(key.login))
}

func report(name string) []byte { return ssh.Marshal(readyReport{name}) }
