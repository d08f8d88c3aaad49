package initialize

import "testing"

// The kubelet kills everything at the end of the grace period, and the record
// must be there then.
func TestTheRuntimeKeepsTimeOfTheGracePeriodForItsRecord(t *testing.T) {
	t.Parallel()
	for pod, want := range map[int]int{1: 1, 2: 1, 6: 5, 7: 5, 12: 10, 30: 25, 600: 595} {
		if got := scriptGrace(pod); got != want {
			t.Errorf("of %d seconds scripts get %d, want %d", pod, got, want)
		}
	}
}
