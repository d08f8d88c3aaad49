// SPDX-License-Identifier: MPL-2.0

//go:build unix

package ssh

import (
	"errors"
	"net"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

func TestOnlyAuthorizedKeysLogIn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	added, stranger := newKey(t), newKey(t)
	h.Authorize(added.Public())
	for name, c := range map[string]struct {
		config *ssh.ClientConfig
		enters bool
	}{
		"the job's key":       {login(h.key.login), true},
		"a key that is added": {login(added.login), true},
		"the key of another":  {login(stranger.login), false},
		"the host key":        {login(h.key.host), false},
		"a password":          {&ssh.ClientConfig{User: "root", Auth: []ssh.AuthMethod{ssh.Password("")}, HostKeyCallback: login(h.key.login).HostKeyCallback}, false},
		"nothing":             {&ssh.ClientConfig{User: "root", HostKeyCallback: login(h.key.login).HostKeyCallback}, false},
	} {
		t.Run(name, func(t *testing.T) {
			client, err := ssh.Dial("tcp", h.addr(), c.config)
			if (err == nil) != c.enters {
				t.Errorf("logged in: %v, want %v; error %v", err == nil, c.enters, err)
			}
			if err == nil {
				_ = client.Close()
			}
		})
	}
}

func TestAHostOfAnotherJobIsNotTrusted(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	other := newKey(t)
	h.Authorize(other.Public())
	if _, err := Dial(t.Context(), h.addr(), other); err == nil || !strings.Contains(err.Error(), "host key mismatch") {
		t.Errorf("error %v", err)
	}
}

func TestTheSSHServiceFailsOnAPortInUse(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	_, err := Listen(Options{Key: h.key, Address: h.addr()})
	var op *net.OpError
	if !errors.As(err, &op) || !strings.Contains(err.Error(), "start the ssh service") {
		t.Errorf("error %v", err)
	}
}

func TestCloseEndsWhatIgnoresIt(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	s := h.session()
	if err := s.Start("trap '' HUP TERM; echo up >up; while :; do sleep 0.05; done"); err != nil {
		t.Fatal(err)
	}
	h.eventually("the command runs", func() bool { return h.file("up") == "up" })
	h.shut()
	if err := s.Wait(); err == nil {
		t.Error("the session succeeded")
	}
	if _, err := Dial(t.Context(), h.addr(), h.key); err == nil {
		t.Error("the server still listens")
	}
}
