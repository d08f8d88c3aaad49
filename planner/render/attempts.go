// SPDX-License-Identifier: MPL-2.0

package render

import "github.com/openpai/terraform-provider-openpai/internal/framework"

// MaxAttempts returns the maximum number of times that each task of a role can run:
// the maximum number of Framework attempts times the maximum number of task
// attempts. role is the name of the role in the Framework. MaxAttempts returns
// false if the number is not limited. The number is not limited if fancyRetryPolicy
// is set, because FrameworkController then does not count retries after transient
// failures, or if the maximum retry count is -1 or -2.
func (m *Manifest) MaxAttempts(role string) (int64, bool) {
	if m == nil || m.Framework == nil {
		return 0, false
	}
	spec := m.Framework.Spec
	total, limited := attempts(spec.RetryPolicy)
	for _, r := range spec.TaskRoles {
		if r.Name != role {
			continue
		}
		each, limitedEach := attempts(r.Task.RetryPolicy)
		return total * each, limited && limitedEach
	}
	return 0, false
}

func attempts(p framework.RetryPolicy) (int64, bool) {
	return int64(p.MaxRetryCount) + 1, !p.FancyRetryPolicy && p.MaxRetryCount >= 0
}
