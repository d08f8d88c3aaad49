package provider

import (
	"context"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// lock keeps other processes away while resources are written. The operations
// of this process, which Terraform runs side by side, share one lock.
func (c *connection) lock(ctx context.Context, opened cluster.Cluster) (release func(), err error) {
	l, ok := opened.(cluster.Locker)
	if !ok {
		return func() {}, nil
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if c.writers == 0 {
		if c.unlock, err = l.Lock(ctx); err != nil {
			return nil, err
		}
	}
	c.writers++
	return c.release, nil
}

func (c *connection) release() {
	c.writing.Lock()
	defer c.writing.Unlock()
	if c.writers--; c.writers == 0 {
		c.unlock()
	}
}

// protocolText returns a job that is being submitted as OpenPAI's services
// read it; "" when the protocol has no words for it.
func (c *connection) protocolText(job *resolve.Job) string {
	ws, ok := c.submitted.Load(job.Declared)
	if !ok {
		return ""
	}
	return kubernetes.ProtocolText(ws.(*hclspec.Workspace), job)
}
