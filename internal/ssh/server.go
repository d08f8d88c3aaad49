// SPDX-License-Identifier: MPL-2.0

//go:build unix

package ssh

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"syscall"
	"time"

	"golang.org/x/crypto/ssh"
)

// maxHandshakes is the maximum number of concurrent logins. Additional connections
// wait in the kernel's listen backlog.
const maxHandshakes = 64

// serverVersion is the version string of the server.
const serverVersion = "SSH-2.0-OpenPAI"

// Options configures a server for its task.
type Options struct {
	Key     *JobKey // clients may log in with this key; the host key is derived from it
	Address string  // host:port; an empty host means all addresses
	Dir     string  // working directory of sessions
	// Shell is the program that runs sessions and commands.
	Shell string
	// The server calls Environ once for each session.
	Environ func() []string
	// Start starts the process of a session.
	Start func(Command) (Process, error)
	// Log writes a line to the log of the task.
	Log func(text string)
}

// Server is the SSH service of a task.
type Server struct {
	Options
	listener net.Listener
	config   ssh.ServerConfig

	mu          sync.Mutex
	authorized  [][]byte // public keys in wire format
	connections map[*connection]bool
	collector   *collector
	closed      bool
	closing     chan struct{}
	running     sync.WaitGroup
}

// Listen starts a server, which runs until Close.
func Listen(o Options) (*Server, error) {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", o.Address)
	if err != nil {
		return nil, fmt.Errorf("start the ssh service: %w", err)
	}
	return serve(listener, o), nil
}

// serve starts a server on the listener. Closing the server closes the
// listener.
func serve(listener net.Listener, o Options) *Server {
	s := &Server{Options: o, listener: listener, connections: map[*connection]bool{}, closing: make(chan struct{})}
	s.config = ssh.ServerConfig{PublicKeyCallback: s.checkKey, ServerVersion: serverVersion}
	s.config.AddHostKey(o.Key.host)
	s.Authorize(o.Key.Public())
	s.running.Add(1)
	go s.accept()
	return s
}

// Address returns the address on which the server listens.
func (s *Server) Address() net.Addr { return s.listener.Addr() }

// Authorize permits logins with the given keys on all later connections.
func (s *Server) Authorize(keys ...ssh.PublicKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range keys {
		s.authorized = append(s.authorized, k.Marshal())
	}
}

var errKeyRefused = errors.New("the key is not authorized for this job")

// extensionKey is the name of an extension in ssh.Permissions. The value is the
// fingerprint of the key with which the client logged in.
const extensionKey = "openpai-key"

func (s *Server) checkKey(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
	offered := key.Marshal()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, known := range s.authorized {
		if bytes.Equal(known, offered) {
			return &ssh.Permissions{Extensions: map[string]string{extensionKey: ssh.FingerprintSHA256(key)}}, nil
		}
	}
	return nil, errKeyRefused
}

func (s *Server) accept() {
	defer s.running.Done()
	slots := make(chan struct{}, maxHandshakes)
	for {
		select {
		case slots <- struct{}{}:
		case <-s.closing:
			return
		}
		conn, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // may be a temporary error, such as too many open files
			<-slots
			time.Sleep(50 * time.Millisecond)
			continue
		}
		go s.handshake(conn, func() { <-slots })
	}
}

func (s *Server) handshake(conn net.Conn, done func()) {
	_ = conn.SetDeadline(time.Now().Add(handshakeTimeout))
	logged, channels, requests, err := ssh.NewServerConn(conn, &s.config)
	done()
	if err != nil {
		_ = conn.Close()
		return
	}
	_ = conn.SetDeadline(time.Time{})
	c := newConnection(s, logged)
	if !s.addConnection(c) {
		_ = conn.Close()
		return
	}
	defer s.removeConnection(c)
	c.serve(channels, requests)
}

// addConnection returns false if the server is closing.
func (s *Server) addConnection(c *connection) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.connections[c] = true
	s.running.Add(1)
	return true
}

func (s *Server) removeConnection(c *connection) {
	s.mu.Lock()
	delete(s.connections, c)
	s.mu.Unlock()
	s.running.Done()
}

// Close sends SIGHUP to every session and closes every connection. It kills
// processes that are still running after the grace period. Close returns when all
// sessions and connections have ended.
func (s *Server) Close(grace time.Duration) {
	s.mu.Lock()
	s.closed = true
	close(s.closing)
	_ = s.listener.Close()
	s.mu.Unlock()
	s.signalAll(syscall.SIGHUP)
	kill := time.AfterFunc(grace, func() { s.signalAll(syscall.SIGKILL) })
	s.running.Wait()
	kill.Stop()
}

func (s *Server) signalAll(signal syscall.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.connections {
		c.end(signal)
	}
}
