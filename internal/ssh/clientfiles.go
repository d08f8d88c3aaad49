// SPDX-License-Identifier: MPL-2.0

package ssh

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/crypto/ssh"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
)

// Peer is a task of the job that has an ssh service.
type Peer struct {
	Names   []string // <role>-<index>, for each spelling of the role
	Address string   // host:port
}

// Name returns the first element of Names.
func (p Peer) Name() string { return p.Names[0] }

// hostAlias is the name of the host key in known_hosts. All tasks share the host
// key.
const hostAlias = "openpai-job"

// WriteClientFiles creates dir with files for OpenSSH clients. With these files,
// clients can reach the peers by name. It returns the path of the configuration
// file for "ssh -F". The private key has mode 0600. WriteClientFiles does not
// change files outside dir.
func WriteClientFiles(dir string, key *JobKey, peers []Peer) (config string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("create the directory for ssh clients: %w", err)
	}
	if err := os.Chmod(dir, 0o700); err != nil { // the directory may have existed before
		return "", fmt.Errorf("restrict access to the directory for ssh clients: %w", err)
	}
	identity, hosts, config := filepath.Join(dir, "id_ed25519"), filepath.Join(dir, "known_hosts"), filepath.Join(dir, "config")
	text, err := clientConfig(peers, identity, hosts)
	if err != nil {
		return "", err
	}
	for _, f := range []struct{ name, text string }{
		{identity, key.text},
		{hosts, hostAlias + " " + string(ssh.MarshalAuthorizedKey(key.Host()))},
		{config, text},
	} {
		if err := atomicfile.Write(f.name, []byte(f.text), 0o600); err != nil {
			return "", fmt.Errorf("write a file for ssh clients: %w", err)
		}
	}
	return config, nil
}

// clientConfig returns an ssh_config with an alias for each name of each peer.
// The ssh_config does not affect other hosts.
func clientConfig(peers []Peer, identity, knownHosts string) (string, error) {
	var b strings.Builder
	var all []string
	for _, p := range peers {
		host, port, err := net.SplitHostPort(p.Address)
		if err != nil {
			return "", fmt.Errorf("address of %s: %w", p.Name(), err)
		}
		fmt.Fprintf(&b, "Host %s\n  HostName %s\n  Port %s\n", strings.Join(p.Names, " "), host, port)
		all = append(all, patterns(p.Names, all)...)
	}
	if len(all) > 0 {
		fmt.Fprintf(&b, "Host %s\n  User %s\n  IdentityFile %s\n  IdentitiesOnly yes\n  UserKnownHostsFile %s\n  HostKeyAlias %s\n  StrictHostKeyChecking yes\n",
			strings.Join(all, " "), loginName, configPath(identity), configPath(knownHosts), hostAlias)
	}
	return b.String(), nil
}

// patterns returns the pattern <role>-* for each name <role>-<index>, except
// patterns in known.
func patterns(names, known []string) []string {
	var added []string
	for _, n := range names {
		p := n[:strings.LastIndexByte(n, '-')+1] + "*"
		seen := false
		for _, k := range known {
			seen = seen || k == p
		}
		if !seen {
			added = append(added, p)
		}
	}
	return added
}

// configPath quotes a path to prevent expansion in ssh_config.
func configPath(path string) string {
	return `"` + strings.ReplaceAll(path, "%", "%%") + `"`
}
