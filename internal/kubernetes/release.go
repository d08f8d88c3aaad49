package kubernetes

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/printable"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// Release implements cluster.Releaser: the runtime's own program in the container
// asks the one that runs the task, so the image needs no shell.
func (c *Cluster) Release(ctx context.Context, framework, role string, index int) error {
	var said bytes.Buffer
	code, err := c.Exec(ctx, cluster.ExecRequest{
		Framework: framework, Role: role, Index: index,
		Command: []string{contract.Runtime, contract.ReleaseCommand}, Stdout: &said, Stderr: &said,
	})
	switch {
	case err != nil:
		return err
	case code == contract.ExitNotHeld:
		return stage.ErrNotHeld
	case code != 0:
		return fmt.Errorf("release task %s[%d]: the runtime in its container ended with exit code %d: %s", role, index, code, printable.Line(strings.TrimSpace(said.String())))
	}
	return nil
}
