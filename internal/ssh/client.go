// SPDX-License-Identifier: MPL-2.0

package ssh

import (
	"context"
	"fmt"
	"net"
	"time"

	"golang.org/x/crypto/ssh"
)

// loginName is the user name for logins. The server accepts any name and checks
// only the key, because a task has only one user.
const loginName = "root"

// handshakeTimeout is the time limit of the TCP connection and, separately,
// of the SSH handshake.
const handshakeTimeout = 30 * time.Second

// Dial uses the job's key to log in to a task of the job. It verifies the job's
// host key.
func Dial(ctx context.Context, address string, key *JobKey) (*ssh.Client, error) {
	conn, err := (&net.Dialer{Timeout: handshakeTimeout}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("connect to the ssh service: %w", err)
	}
	return Login(ctx, conn, address, key)
}

// Login is like [Dial], but uses an existing connection. If Login fails, it
// closes the connection.
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
