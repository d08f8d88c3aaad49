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

// WriteWrappers writes programs that call OpenSSH's clients with the configuration
// of [WriteClientFiles]. Tasks that may not change the system-wide configuration
// use these wrappers. The user's and the system's configuration still apply to
// other hosts. lookPath finds a client. WriteWrappers does not write wrappers for
// missing clients. WriteWrappers returns the directory to add to PATH, or "" if
// there are no wrappers.
func WriteWrappers(config string, lookPath func(name string) (path string, found bool)) (dir string, err error) {
	hosts, err := os.ReadFile(config)
	if err != nil {
		return "", fmt.Errorf("read the hosts of the job: %w", err)
	}
	combined := config + ".all"
	text := string(hosts) + "Host *\n  Include ~/.ssh/config\n  Include " + systemConfig + "\n"
	if err := os.WriteFile(combined, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("write for ssh clients: %w", err)
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
			return "", fmt.Errorf("write for ssh clients: %w", err)
		}
		dir = bin
	}
	return dir, nil
}

const systemConfig = "/etc/ssh/ssh_config"
