//go:build unix

package ssh

import (
	"errors"
	"io"

	"github.com/pkg/sftp"
)

// transferFiles serves sftp, and so scp and sshfs. Relative paths start where
// sessions do.
func (s *session) transferFiles() {
	server, err := sftp.NewServer(s.channel, sftp.WithServerWorkingDirectory(s.c.server.Dir))
	if err == nil {
		err = server.Serve()
		_ = server.Close()
	}
	code := 0
	if err != nil && !errors.Is(err, io.EOF) {
		code = 1
	}
	s.exit(code, 0)
}
