// SPDX-License-Identifier: MPL-2.0

package local

import (
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// Bounds on the pause before a retry after a transient failure. An attempt that
// lasts at least steadyAttempt resets the pause. On Kubernetes, the API server and
// the kubelet slow down retries, so only the local cluster uses these bounds.
const (
	firstPause    = time.Second
	lastPause     = 5 * time.Minute
	steadyAttempt = time.Minute
)

// backoff maps each task to its last pause. The zero key maps to the last pause of
// the whole job. A new supervisor starts again with the first pause.
type backoff map[store.TaskKey]time.Duration

// next returns the pause after an attempt.
func (b backoff) next(key store.TaskKey, lasted time.Duration) time.Duration {
	if lasted >= steadyAttempt {
		delete(b, key)
	}
	b[key] = min(max(2*b[key], firstPause), lastPause)
	return b[key]
}

// pauses returns true if the task caused the failure and the failure can repeat
// without limit. It returns false if the supervisor was lost or the machine was
// rebooted.
func pauses(d framework.Decision, c *framework.CompletionStatus) bool {
	return d.Retry && !d.Accountable && c.Code != framework.CodePodDeleted
}

// delayed sets an unset delay of a retry and reports whether the delay is in
// progress. since is the completion time of the attempt.
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

// endDelays ends the current retry delays after a change to the job.
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

// rescaled reports whether a role was added or the number of tasks of a role
// changed.
func rescaled(before, after []framework.TaskRole) bool {
	for _, role := range after {
		spec := framework.Spec{TaskRoles: before}
		if was := spec.TaskRole(role.Name); was == nil || was.TaskNumber != role.TaskNumber {
			return true
		}
	}
	return false
}
