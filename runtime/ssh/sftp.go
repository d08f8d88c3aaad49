//go:build unix

package ssh

import (
	"errors"
	"io"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
)

// openChannel stays open when the file server closes it: the client is still
// to be told how it ended.
type openChannel struct{ ssh.Channel }

// Close ends what is written.
func (c openChannel) Close() error { return c.CloseWrite() }

// transferFiles serves sftp, and so scp and sshfs. Relative paths start where
// sessions do.
func (s *session) transferFiles() {
	server, err := sftp.NewServer(openChannel{s.channel}, sftp.WithServerWorkingDirectory(s.c.server.Dir))
	if err == nil {
		err = server.Serve()
	}
	code := 0
	if err != nil && !errors.Is(err, io.EOF) {
		code = 1
	}
	s.exit(code, 0)
}
