package barrier

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// sign is how the watcher shows in the ConfigMap that it lives.
type sign struct {
	attempt string // of the Framework
	rank    int
	pod     string
	count   int
	next    time.Duration // until the sign after this
}

func (s sign) String() string {
	return fmt.Sprintf("%s %d %s %d %d", s.attempt, s.rank, s.pod, s.count, int(s.next.Milliseconds()))
}

func parseSign(text string) (s sign, ok bool) {
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
	return sign{attempt: fields[0], pod: fields[2], rank: numbers[0], count: numbers[1], next: time.Duration(numbers[2]) * time.Millisecond}, true
}

// hostsObject is the ConfigMap of the gang.
type hostsObject struct {
	Metadata struct {
		ResourceVersion string            `json:"resourceVersion"`
		Annotations     map[string]string `json:"annotations"`
	} `json:"metadata"`
	BinaryData map[string][]byte `json:"binaryData"`
}

// The annotations of the ConfigMap that only tasks read.
const (
	annotationSign    = contract.AnnotationBarrierSign
	annotationMissing = contract.AnnotationBarrierMissing
)

// table returns the published table of an attempt, nil when there is none.
func (o *hostsObject) table(attempt string) (*Table, error) {
	packed, ok := o.BinaryData[contract.HostsKey]
	if !ok || o.Metadata.Annotations[contract.AnnotationHostsAttempt] != attempt {
		return nil, nil
	}
	return decode(packed)
}
