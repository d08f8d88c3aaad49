package local

import (
	"context"
	"fmt"
	"os"

	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// CleanUp removes what the cluster keeps for jobs in general once there is none
// of any workspace: copies of the program, the cache of downloads, the keys
// for versions of secrets, and the directory itself unless it holds something
// else. While there are jobs it does nothing.
func (c *Cluster) CleanUp(context.Context) error {
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
	for _, dir := range []string{l.Frameworks(), l.Records(), l.Join("runs"), l.Secrets(), l.Programs(), l.FetchCache()} {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("clean up the local cluster: %w", err)
		}
	}
	return l.RemoveIfEmpty()
}
