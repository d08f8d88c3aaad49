// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// maxSecretBytes is the maximum size of a secret's value, in bytes. It is also the
// maximum size of a Kubernetes Secret.
const maxSecretBytes = 1 << 20

// SecretValue returns the value of a secret from its declared source. If the
// source is a file, SecretValue removes one newline at its end. The error is a
// clause that callers print after a colon. The error contains the name of the
// variable or file, but never a value.
func (l *Loaded) SecretValue(s *hclspec.Secret) (string, error) {
	switch {
	case s.Value != nil:
		return s.Value.Reveal(), nil
	case s.Env != "":
		return l.secretEnv(s)
	case s.File != "":
		return l.secretFile(s)
	case s.Kubernetes != nil:
		return "", fmt.Errorf("the local cluster cannot read the Kubernetes Secret %q; use env or file", s.Kubernetes.Name)
	}
	return "", errors.New("the secret has no source; set env or file")
}

func (l *Loaded) secretEnv(s *hclspec.Secret) (string, error) {
	value, ok := l.lookup(s.Env)
	if !ok {
		return "", fmt.Errorf("the environment variable %s is not set", s.Env)
	}
	if value == "" {
		return "", fmt.Errorf("the environment variable %s is empty", s.Env)
	}
	return value, nil
}

func (l *Loaded) secretFile(s *hclspec.Secret) (string, error) {
	content, err := readAtMost(l.secretPath(s.File), maxSecretBytes)
	if err != nil {
		return "", fmt.Errorf("the file %s cannot be read: %s", s.File, cause(err))
	}
	value, ended := strings.CutSuffix(string(content), "\n")
	if ended {
		value = strings.TrimSuffix(value, "\r")
	}
	if value == "" {
		return "", fmt.Errorf("the file %s is empty", s.File)
	}
	return value, nil
}

func readAtMost(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(content)) > limit {
		err = fmt.Errorf("the value is larger than %d bytes", limit)
	}
	return content, err
}

// secretPath returns the path of a secret's file. It permits files outside
// the workspace, because secrets are rarely stored with the configuration.
func (l *Loaded) secretPath(file string) string {
	if rest, ok := strings.CutPrefix(file, "~/"); ok {
		if home, ok := l.lookup("HOME"); ok {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(l.Dir, file)
}

// lookup returns the value of an environment variable. If the environment has
// several entries with the name, lookup uses the last entry, like os/exec.
func (l *Loaded) lookup(name string) (string, bool) {
	for i := len(l.environ) - 1; i >= 0; i-- {
		if k, v, ok := strings.Cut(l.environ[i], "="); ok && k == name {
			return v, true
		}
	}
	return "", false
}

// ReadSecret is like [Loaded.SecretValue], but for a secret that no workspace
// file declares. Relative paths are relative to dir.
func ReadSecret(s *hclspec.Secret, dir string, environ []string) (string, error) {
	return (&Loaded{Dir: dir, environ: environ}).SecretValue(s)
}
