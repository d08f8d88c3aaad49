// SPDX-License-Identifier: MPL-2.0

package ssh

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"golang.org/x/crypto/ssh"
)

// Names of the files in the directory of a private server.
const (
	privateSocket = "socket"
	privateKey    = "key"
)

// maxSocketPath is the maximum length in bytes of a socket path that every
// system accepts.
const maxSocketPath = 100

// DialPrivate logs in to the server whose socket is in a directory. If there is no
// server, the error wraps [io/fs.ErrNotExist].
func DialPrivate(ctx context.Context, dir string) (*ssh.Client, error) {
	text, err := os.ReadFile(filepath.Join(dir, privateKey))
	if err != nil {
		return nil, err
	}
	key, err := ParseJobKey(string(text))
	if err != nil {
		return nil, err
	}
	socket, done, err := socketIn(dir)
	if err != nil {
		return nil, err
	}
	defer done()
	conn, err := (&net.Dialer{Timeout: handshakeTimeout}).DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, fmt.Errorf("connect to the session server of the task: %w", err)
	}
	return Login(ctx, conn, filepath.Base(socket), key)
}

// socketIn returns a path to the socket in dir. The path has at most maxSocketPath
// bytes and is valid until done is called. On Linux, socketIn replaces a longer
// path with a path through /proc/self/fd.
func socketIn(dir string) (name string, done func(), err error) {
	name = filepath.Join(dir, privateSocket)
	if len(name) <= maxSocketPath {
		return name, func() {}, nil
	}
	opened, err := os.Open(dir)
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", opened.Fd(), privateSocket), func() { _ = opened.Close() }, nil
}
