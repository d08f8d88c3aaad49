package ssh

import (
	"context"
	"fmt"
	"net"
	"time"

	"golang.org/x/crypto/ssh"
)

// loginName is the name that clients log in with. The server takes any: a task
// has one user, and the key decides.
const loginName = "root"

// handshakeTimeout is the longest that two sides may need to agree.
const handshakeTimeout = 30 * time.Second

// Dial logs in to a task of the job with the job's key. The host must have the
// job's host key.
func Dial(ctx context.Context, address string, key *JobKey) (*ssh.Client, error) {
	conn, err := (&net.Dialer{Timeout: handshakeTimeout}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("connect to the ssh service: %w", err)
	}
	return Login(ctx, conn, address, key)
}

// Login is [Dial] over a connection to the service at that address. It closes
// the connection when it fails.
func Login(ctx context.Context, conn net.Conn, address string, key *JobKey) (*ssh.Client, error) {
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	_ = conn.SetDeadline(time.Now().Add(handshakeTimeout))
	c, channels, requests, err := ssh.NewClientConn(conn, address, &ssh.ClientConfig{
		User:              loginName,
		Auth:              []ssh.AuthMethod{ssh.PublicKeys(key.login)},
		HostKeyCallback:   ssh.FixedHostKey(key.Host()),
		HostKeyAlgorithms: []string{ssh.KeyAlgoED25519},
	})
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("log in to the ssh service at %s: %w", address, err)
	}
	_ = conn.SetDeadline(time.Time{})
	return ssh.NewClient(c, channels, requests), nil
}
