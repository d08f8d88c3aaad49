// SPDX-License-Identifier: MPL-2.0

package ssh

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/shellquote"
)

// clients lists the OpenSSH programs that connect to other hosts by name.
var clients = []string{"ssh", "scp", "sftp"}

// WriteWrappers writes wrapper programs for OpenSSH's clients. A wrapper calls
// the client with a configuration from [WriteClientFiles]. Tasks that cannot
// change the system-wide configuration use these wrappers. For other hosts, the
// user configuration and the system configuration still apply. lookPath finds a
// client. WriteWrappers does not write wrappers for missing clients. It returns
// the directory to add to PATH, or "" if there are no wrappers.
func WriteWrappers(config string, lookPath func(name string) (path string, found bool)) (dir string, err error) {
	hosts, err := os.ReadFile(config)
	if err != nil {
		return "", fmt.Errorf("read the hosts of the job: %w", err)
	}
	combined := config + ".all"
	text := string(hosts) + "Host *\n  Include ~/.ssh/config\n  Include " + systemConfig + "\n"
	if err := os.WriteFile(combined, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("write a file for ssh clients: %w", err)
	}
	bin := filepath.Join(filepath.Dir(config), "bin")
	for _, name := range clients {
		program, found := lookPath(name)
		if !found || filepath.Dir(program) == bin {
			continue
		}
		if err := os.MkdirAll(bin, 0o700); err != nil {
			return "", fmt.Errorf("create the directory for ssh clients: %w", err)
		}
		script := "#!/bin/sh\nexec " + shellquote.Quote(program) + " -F " + shellquote.Quote(combined) + " \"$@\"\n"
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o700); err != nil {
			return "", fmt.Errorf("write a file for ssh clients: %w", err)
		}
		dir = bin
	}
	return dir, nil
}

const systemConfig = "/etc/ssh/ssh_config"
