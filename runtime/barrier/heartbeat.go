// SPDX-License-Identifier: MPL-2.0

package barrier

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// heartbeat is the data that the watcher writes to the ConfigMap to show that it
// is alive.
type heartbeat struct {
	attempt  string // of the Framework
	rank     int
	pod      string
	count    int
	interval time.Duration // time until the next heartbeat
}

func (s heartbeat) String() string {
	return fmt.Sprintf("%s %d %s %d %d", s.attempt, s.rank, s.pod, s.count, int(s.interval.Milliseconds()))
}

func parseHeartbeat(text string) (s heartbeat, ok bool) {
	fields := strings.Fields(text)
	if len(fields) != 5 {
		return s, false
	}
	numbers := [3]int{}
	for i, field := range []string{fields[1], fields[3], fields[4]} {
		var err error
		if numbers[i], err = strconv.Atoi(field); err != nil {
			return s, false
		}
	}
	return heartbeat{attempt: fields[0], pod: fields[2], rank: numbers[0], count: numbers[1], interval: time.Duration(numbers[2]) * time.Millisecond}, true
}

// hostsObject is the ConfigMap of the gang.
type hostsObject struct {
	Metadata struct {
		ResourceVersion string            `json:"resourceVersion"`
		Annotations     map[string]string `json:"annotations"`
	} `json:"metadata"`
	BinaryData map[string][]byte `json:"binaryData"`
}

// ConfigMap annotations that only tasks read.
const (
	annotationHeartbeat = contract.AnnotationBarrierSign
	annotationMissing   = contract.AnnotationBarrierMissing
)

// table returns nil if no table is published for the attempt.
func (o *hostsObject) table(attempt string) (*Table, error) {
	packed, ok := o.BinaryData[contract.HostsKey]
	if !ok || o.Metadata.Annotations[contract.AnnotationHostsAttempt] != attempt {
		return nil, nil
	}
	return decode(packed)
}
