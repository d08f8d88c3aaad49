package provider

import (
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// locker is a cluster that keeps other processes from writing a workspace.
type locker interface{ Lock() (func(), error) }

// lock keeps other processes away while resources are written. The operations
// of this process, which Terraform runs side by side, share one lock.
func (c *connection) lock(opened cluster.Cluster) (release func(), err error) {
	l, ok := opened.(locker)
	if !ok {
		return func() {}, nil
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if c.writers == 0 {
		if c.unlock, err = l.Lock(); err != nil {
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
