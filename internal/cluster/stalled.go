package cluster

import (
	"errors"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// ErrStalled says that nothing happens to a job until another command continues
// it: the command that submitted or deleted it was killed, or its supervisor.
var ErrStalled = errors.New("nothing works on it")

// Stalled says why nothing happens to a job; "" when something does.
type Stalled string

// The reasons.
const (
	PartlySubmitted Stalled = "partly-submitted"
	PartlyDeleted   Stalled = "partly-deleted"
	BeingDeleted    Stalled = "being-deleted"
	Unsupervised    Stalled = "unsupervised"
	Unreadable      Stalled = "unreadable"     // Status.UnreadableFile
	FrameworkGone   Stalled = "framework-gone" // before an outcome was seen
)

// StalledText returns why nothing happens to the job and what the user can do;
// empty when something does.
func (s *Status) StalledText() message.Text {
	if s.Stalled == "" {
		return message.Text{}
	}
	what, hint := s.Stalled.words(s.UnreadableFile)
	return message.Textf("%s; %s", what, hint)
}

// StalledError returns an ErrStalled, or nil.
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
		return "it was not submitted completely", message.Hint{Kind: message.HintContinueSubmission}
	case PartlyDeleted:
		return "it was not deleted completely", message.Hint{Kind: message.HintContinueDeletion}
	case BeingDeleted:
		return "it is being deleted", message.Hint{Kind: message.HintFinishDeletion}
	case Unsupervised:
		return "its supervisor is gone", message.Hint{Kind: message.HintContinueJob}
	case Unreadable:
		return file + " cannot be read", message.Hint{Kind: message.HintRepair}
	case FrameworkGone:
		return "its Framework is gone before an outcome was seen", message.Hint{Kind: message.HintSubmitAgain}
	}
	panic("cluster: no words for " + string(s))
}
