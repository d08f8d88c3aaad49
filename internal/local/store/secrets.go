// SPDX-License-Identifier: MPL-2.0

package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// KeySize is the size in bytes of a workspace's key for secret versions.
const KeySize = 32

// SaveSecrets replaces the secret values of a job. It writes the values only to
// files of mode 0600 in a directory of mode 0700. Tasks read these files.
func (l Layout) SaveSecrets(framework string, values map[string]string) error {
	dir := l.JobSecrets(framework)
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("replace secrets: %w", err)
	}
	if err := l.privateDir(dir); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if name == "" || name[0] == '.' && name != contract.SecretJobKey || strings.ContainsAny(name, "/\x00") {
			return fmt.Errorf("store secret %q: the name is not a valid file name", name)
		}
		if err := atomicfile.Write(filepath.Join(dir, name), []byte(values[name]), 0o600); err != nil {
			return fmt.Errorf("store secret %q: %w", name, err)
		}
	}
	return nil
}

// privateDir creates a directory in the secret store. Only its owner can access
// the directory.
func (l Layout) privateDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create the secret store: %w", err)
	}
	if err := os.Chmod(l.Secrets(), 0o700); err != nil {
		return fmt.Errorf("restrict access to the secret store: %w", err)
	}
	return nil
}

// SecretKey returns the workspace's key, or nil if no key exists yet. If the key is
// damaged, the error is an [UnreadableError]. SecretKey does not replace the key,
// because a different key would change every secret version.
func (l Layout) SecretKey(workspace string) ([]byte, error) {
	key, err := readFile(l.KeyFile(workspace))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && len(key) != KeySize {
		err = fmt.Errorf("it must have %[2]d bytes, but has %[1]d", len(key), KeySize)
	}
	if err != nil {
		unreadable := &UnreadableError{File: l.KeyFile(workspace), Err: err}
		return nil, fmt.Errorf("key for secret versions of the workspace %s: %w", workspace, unreadable)
	}
	return key, nil
}

// SecretKeys returns the undamaged keys of all workspaces, indexed by file
// path.
func (l Layout) SecretKeys() map[string][]byte {
	keys := map[string][]byte{}
	for _, name := range Glob(l.Join("secrets", "keys"), "*") {
		if key, err := readFile(name); err == nil && len(key) == KeySize {
			keys[name] = key
		}
	}
	return keys
}

// MakeSecretKey returns the workspace's key. It creates the key if it does not
// exist.
func (l Layout) MakeSecretKey(workspace string, random io.Reader) ([]byte, error) {
	name := l.KeyFile(workspace)
	if err := l.privateDir(filepath.Dir(name)); err != nil {
		return nil, err
	}
	lock, err := lockFile(l.Join("secrets", "lock"), true)
	if err != nil {
		return nil, err
	}
	defer lock.Release()
	key, err := l.SecretKey(workspace)
	if err != nil || key != nil {
		return key, err
	}
	key = make([]byte, KeySize)
	if _, err := io.ReadFull(random, key); err != nil {
		return nil, fmt.Errorf("create the key of workspace %s: %w", workspace, err)
	}
	return key, atomicfile.Write(name, key, 0o600)
}
