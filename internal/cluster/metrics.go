// SPDX-License-Identifier: MPL-2.0

package cluster

import "github.com/openpai/terraform-provider-openpai/internal/metrics"

// Use contains the metrics and the resource usage of a job.
type Use struct {
	Metrics metrics.Values
	// CPUSeconds and PeakMemoryBytes are 0 if unknown.
	CPUSeconds      float64
	PeakMemoryBytes int64
}

// JobUse returns the metrics and usage of a job. A metric value comes from the
// first task, in role order, whose last attempt has the metric. For a running
// task, the metrics are in its stage.
func JobUse(st *Status) Use {
	var u Use
	add := func(v metrics.Values) {
		for name, value := range v {
			if _, known := u.Metrics[name]; known {
				continue
			}
			if u.Metrics == nil {
				u.Metrics = metrics.Values{}
			}
			u.Metrics[name] = value
		}
	}
	for _, role := range st.TaskRoles {
		for i := range role.Tasks {
			a := role.Tasks[i].Latest()
			switch {
			case a == nil:
			case a.Exit != nil:
				add(a.Exit.Metrics)
				if u.CPUSeconds == 0 {
					u.CPUSeconds = a.Exit.CPUSeconds
				}
				if u.PeakMemoryBytes == 0 {
					u.PeakMemoryBytes = a.Exit.PeakMemoryBytes
				}
			case a.Stage != nil:
				add(a.Stage.Metrics)
			}
		}
	}
	return u
}
