// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// CleanUp implements cluster.Cleaner. It does nothing if any workspace has a job.
// Otherwise, it removes the copies of the program, the download cache and the keys
// for secret versions. It also removes the marketplace items and modules that no
// lock file needs. If the directory is then empty, it also removes the directory
// itself.
func (c *Cluster) CleanUp(context.Context, planner.Declarer) error {
	if !store.Exists(string(c.layout)) {
		return nil
	}
	release, err := c.acquire()
	if err != nil {
		return err
	}
	defer release()
	remaining, err := c.layout.Names()
	if err != nil || len(remaining) > 0 {
		return err
	}
	l := c.layout
	c.removedKeys = l.SecretKeys()
	unneeded := append(l.AllAttempts(), l.Frameworks(), l.Records(), l.Secrets(), l.Programs(), l.FetchCache())
	if !store.Exists(filepath.Join(c.dir, lockfile.Name)) {
		unneeded = append(unneeded, l.Items(), l.Modules())
	}
	for _, dir := range unneeded {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("clean up the local cluster: %w", err)
		}
	}
	return l.RemoveIfEmpty()
}
