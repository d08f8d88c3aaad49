// SPDX-License-Identifier: MPL-2.0

package render

import "github.com/openpai/terraform-provider-openpai/internal/framework"

// MaxAttempts returns the maximum number of runs of each task of a role. This
// number is the maximum number of Framework attempts times the maximum number of
// task attempts. The argument role is the name of the role in the Framework. The
// result is false if the number of attempts is not limited. A maximum retry
// count of -1 or -2 sets no limit. fancyRetryPolicy also removes the limit,
// because FrameworkController does not count retries after transient failures.
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
