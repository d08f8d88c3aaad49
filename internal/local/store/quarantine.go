// SPDX-License-Identifier: MPL-2.0

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// Quarantine moves all files of a Framework into a separate directory and
// returns the path of that directory. The Framework must not have running
// processes.
func (l Layout) Quarantine(framework string, now time.Time) (string, error) {
	dir := l.Join("quarantine", framework+"-"+now.UTC().Format("20060102T150405Z"))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("move the files of a job aside: %w", err)
	}
	for name, from := range map[string]string{
		"secrets": l.JobSecrets(framework), "attempts": l.Attempts(framework),
		"framework": l.Object(framework).Dir, "record.json": l.RecordFile(framework),
	} {
		if err := os.Rename(from, filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("move the files of a job aside: %w", err)
		}
	}
	return dir, l.RemoveRecord(framework)
}

// ReplaceSecretKey moves a workspace's damaged key into a separate directory
// and returns the path of that directory. It returns "" if the key is not
// damaged. Secret versions that were computed with a damaged key can no
// longer be compared, so ReplaceSecretKey removes them from the records.
func (l Layout) ReplaceSecretKey(workspace string, now time.Time) (string, error) {
	_, err := l.SecretKey(workspace)
	var unreadable *UnreadableError
	if !errors.As(err, &unreadable) {
		return "", err
	}
	for _, name := range l.recordNames() {
		err := l.Object(name).EditRecord(l, func(r *cluster.Record) {
			for secret, version := range r.SecretVersions {
				if r.Workspace == workspace && strings.HasPrefix(version, "hmac:") {
					delete(r.SecretVersions, secret)
				}
			}
		})
		if err != nil && !errors.As(err, new(*UnreadableError)) {
			return "", err
		}
	}
	dir := l.Join("quarantine", "key-"+now.UTC().Format("20060102T150405Z"))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("move a damaged key aside: %w", err)
	}
	if err := os.Rename(unreadable.File, filepath.Join(dir, "key")); err != nil {
		return "", fmt.Errorf("move a damaged key aside: %w", err)
	}
	return dir, nil
}
