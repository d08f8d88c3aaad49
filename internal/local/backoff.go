package local

import (
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// The bounds of the pause before a transient failure is tried again, and how
// long an attempt has to last for the next pause to be the first again. On
// Kubernetes the API server and the kubelet slow retries down; here nothing
// else does.
const (
	firstPause    = time.Second
	lastPause     = 5 * time.Minute
	steadyAttempt = time.Minute
)

// backoff holds the last pause of each task; that of the whole job has the zero
// key. A new supervisor begins with the first pause again.
type backoff map[store.TaskKey]time.Duration

// next returns the pause after an attempt.
func (b backoff) next(key store.TaskKey, lasted time.Duration) time.Duration {
	if lasted >= steadyAttempt {
		delete(b, key)
	}
	b[key] = min(max(2*b[key], firstPause), lastPause)
	return b[key]
}

// pauses reports whether a pause comes before the retry: after failures that
// may be repeated for ever and that the task caused, which a lost supervisor
// and the end of the machine are not.
func pauses(d framework.Decision, c *framework.CompletionStatus) bool {
	return d.Retry && !d.Accountable && c.Code != framework.CodePodDeleted
}

// delayed sets the delay of a retry once, and reports whether it still runs.
// since is when the attempt completed.
func (s *supervisor) delayed(st *framework.RetryPolicyStatus, since time.Time, delay func() time.Duration) bool {
	if st.RetryDelaySec == nil {
		seconds := int64(delay() / time.Second)
		st.RetryDelaySec = &seconds
		s.markChanged()
	}
	due := since.Add(time.Duration(*st.RetryDelaySec) * time.Second)
	if !s.now().Before(due) {
		return false
	}
	s.wakeAt(due)
	return true
}

// endDelays ends every delay: the job was changed.
func (s *supervisor) endDelays() {
	if s.fw.Status == nil {
		return
	}
	none := int64(0)
	if st := &s.fw.Status.RetryPolicyStatus; st.RetryDelaySec != nil {
		st.RetryDelaySec = &none
	}
	s.eachTask(func(_ store.TaskKey, t *framework.TaskStatus) {
		if st := &t.RetryPolicyStatus; st.RetryDelaySec != nil {
			st.RetryDelaySec = &none
		}
	})
}

// rescaled reports whether a role has another number of tasks.
func rescaled(before, after []framework.TaskRole) bool {
	for _, role := range after {
		spec := framework.Spec{TaskRoles: before}
		if was := spec.TaskRole(role.Name); was == nil || was.TaskNumber != role.TaskNumber {
			return true
		}
	}
	return false
}
