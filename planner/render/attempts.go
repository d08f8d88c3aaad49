// SPDX-License-Identifier: MPL-2.0

package render

import "github.com/openpai/terraform-provider-openpai/internal/framework"

// MaxAttempts returns the maximum number of times that each task of the role with
// this Framework name runs: the attempts of the Framework times the attempts of the
// task. It returns false if the number has no limit: FrameworkController's
// fancyRetryPolicy retries transient failures without counting them, and the counts
// -1 and -2 retry without limit.
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
