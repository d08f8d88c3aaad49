package local

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// keySize is the size of a workspace's key for versions of secrets.
const keySize = 32

// saveSecrets replaces the values of a job. They go into files of mode 0600 in
// a directory of mode 0700 and nowhere else; tasks read them from there.
func (l layout) saveSecrets(framework string, values map[string]string) error {
	dir := l.jobSecrets(framework)
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("replace secrets: %w", err)
	}
	if err := l.privateDir(dir); err != nil {
		return err
	}
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if name == "" || name[0] == '.' && name != contract.SecretJobKey || strings.ContainsAny(name, "/\x00") {
			return fmt.Errorf("store secret %q: the name cannot be that of a file", name)
		}
		if err := atomicfile.Write(filepath.Join(dir, name), []byte(values[name]), 0o600); err != nil {
			return fmt.Errorf("store secret %q: %w", name, err)
		}
	}
	return nil
}

// privateDir makes a directory under the secret store that only its owner can
// enter.
func (l layout) privateDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the secret store: %w", err)
	}
	if err := os.Chmod(l.secrets(), 0o700); err != nil {
		return fmt.Errorf("close the secret store: %w", err)
	}
	return nil
}

// secretKey returns the workspace's key, or nil when none was made.
func (l layout) secretKey(workspace string) ([]byte, error) {
	key, err := os.ReadFile(l.workspaceKey(workspace))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the key of workspace %s: %w", workspace, err)
	}
	return key, nil
}

// makeSecretKey returns the workspace's key and makes it when there is none.
func (l layout) makeSecretKey(workspace string, random io.Reader) ([]byte, error) {
	name := l.workspaceKey(workspace)
	if err := l.privateDir(filepath.Dir(name)); err != nil {
		return nil, err
	}
	lock, err := lockFile(l.join("secrets", "lock"), true)
	if err != nil {
		return nil, err
	}
	defer lock.release()
	key, err := l.secretKey(workspace)
	if err != nil || len(key) == keySize {
		return key, err
	}
	key = make([]byte, keySize)
	if _, err := io.ReadFull(random, key); err != nil {
		return nil, fmt.Errorf("make the key of workspace %s: %w", workspace, err)
	}
	return key, atomicfile.Write(name, key, 0o600)
}
