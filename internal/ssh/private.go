// SPDX-License-Identifier: MPL-2.0

//go:build unix

package ssh

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
)

// ListenPrivate starts a server for processes of the same user. It generates a
// key, using random as the source of random bytes. It also creates a directory
// that contains the key and the server's socket. [DialPrivate] logs in. Close
// removes the directory.
func ListenPrivate(dir string, random io.Reader, o Options) (*Server, error) {
	text, err := NewJobKey(random)
	if err != nil {
		return nil, err
	}
	if o.Key, err = ParseJobKey(text); err != nil {
		return nil, err
	}
	if err := os.RemoveAll(dir); err != nil { // a killed process may have left this directory behind
		return nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, privateKey), []byte(text), 0o600); err != nil {
		return nil, err
	}
	socket, done, err := socketIn(dir)
	if err != nil {
		return nil, err
	}
	defer done()
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "unix", socket)
	if err != nil {
		return nil, fmt.Errorf("listen for sessions: %w", err)
	}
	listener.(*net.UnixListener).SetUnlinkOnClose(false)
	return serve(&privateListener{Listener: listener, dir: dir}, o), nil
}

// privateListener is a listener that removes the directory of its socket on
// Close.
type privateListener struct {
	net.Listener
	dir    string
	remove sync.Once
}

// Close implements net.Listener.
func (l *privateListener) Close() error {
	l.remove.Do(func() { _ = os.RemoveAll(l.dir) })
	return l.Listener.Close()
}
