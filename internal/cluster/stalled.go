// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"errors"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// ErrStalled is the error for a job that cannot continue until the user runs
// another command. For example, the supervisor or the submitting or deleting
// command was killed.
var ErrStalled = errors.New("no process continues it")

// Stalled is the reason why a job makes no progress, or "" for none.
type Stalled string

// The reasons.
const (
	PartlySubmitted Stalled = "partly-submitted"
	PartlyDeleted   Stalled = "partly-deleted"
	BeingDeleted    Stalled = "being-deleted"
	Unsupervised    Stalled = "unsupervised"
	Unreadable      Stalled = "unreadable"     // Status.UnreadableFile
	FrameworkGone   Stalled = "framework-gone" // deleted before its outcome was known
)

// StalledText describes why the job makes no progress and how to continue the
// job. The text is empty if the job is not stalled.
func (s *Status) StalledText() message.Text {
	if s.Stalled == "" {
		return message.Text{}
	}
	what, hint := s.Stalled.words(s.UnreadableFile)
	return message.Textf("%s; %s", what, hint)
}

// StalledError returns an ErrStalled, or nil if the job is not stalled.
func (s *Status) StalledError() error {
	if s.Stalled == "" {
		return nil
	}
	what, hint := s.Stalled.words(s.UnreadableFile)
	return message.WithHint(fmt.Errorf("%w: %s", ErrStalled, what), hint)
}

func (s Stalled) words(file string) (string, message.Hint) {
	switch s {
	case PartlySubmitted:
		return "its submission is incomplete", message.Hint{Kind: message.HintContinueSubmission}
	case PartlyDeleted:
		return "its deletion is incomplete", message.Hint{Kind: message.HintContinueDeletion}
	case BeingDeleted:
		return "it is being deleted", message.Hint{Kind: message.HintFinishDeletion}
	case Unsupervised:
		return "its supervisor is not running", message.Hint{Kind: message.HintContinueJob}
	case Unreadable:
		return file + " cannot be read", message.Hint{Kind: message.HintRepair}
	case FrameworkGone:
		return "its Framework was deleted before its outcome was known", message.Hint{Kind: message.HintSubmitAgain}
	}
	panic("cluster: no text defined for " + string(s))
}
