package local

import (
	"errors"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// The words for jobs whose command was killed.
const (
	halfSubmitted = "it was not submitted completely; \"openpai apply\" goes on with it, \"openpai destroy\" removes it"
	halfDeleted   = "it was not deleted completely; \"openpai destroy\" goes on with that, \"openpai apply\" submits it anew"
)

// half says what is missing of a Framework that was submitted or deleted in
// part; empty for a whole one.
func half(fw *framework.Framework) string {
	switch {
	case fw.Metadata.DeletionTimestamp != nil:
		return halfDeleted
	case fw.Spec.ExecutionType == framework.ExecutionCreate:
		return halfSubmitted
	}
	return ""
}

// stalled says what is missing of a job that nobody works on. The lock is
// tested between two looks: a job that was incomplete before and after, while
// no command ran, stays so.
func (c *Cluster) stalled(before string, again func() string) (string, error) {
	if before == "" {
		return "", nil
	}
	held, err := locked(c.layout.lock())
	if err != nil || held {
		return "", err
	}
	return again(), nil
}

func (o object) half() string {
	fw, err := o.loadSpec()
	if err != nil {
		return ""
	}
	return half(fw)
}

// halfRecorded says the same of a job that has only its record: one without an
// outcome was left by a command that was killed.
func (l layout) halfRecorded(framework string) string {
	if r, err := l.loadRecord(framework); err == nil && r != nil && r.State == "" && !exists(l.object(framework).specFile()) {
		return halfSubmitted
	}
	return ""
}

// stoppable fails for a Framework that never started, or is being deleted.
func (o object) stoppable() error {
	if text := o.half(); text != "" {
		return fmt.Errorf("%w: %s", cluster.ErrStalled, text)
	}
	return nil
}

// undo removes what a failed submission wrote. A Framework that may have
// started stays.
func (c *Cluster) undo(o object) error {
	fw, err := o.loadSpec()
	switch {
	case errors.Is(err, cluster.ErrNotFound):
	case err != nil:
		return err
	case fw.Spec.ExecutionType != framework.ExecutionCreate:
		return nil
	}
	return c.removeAll(o)
}
