package resolve

import (
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Times that hold when the job gives none. The wait is that of OpenPAI's
// barrier; Source: microsoft/frameworkcontroller: bin/frameworkbarrier.
const (
	defaultMaxWait   = 600
	defaultStopGrace = 30
)

// seconds rounds a duration up to whole seconds; zero gives the default.
func seconds(d hclspec.Duration, otherwise int) int {
	if d == 0 {
		return otherwise
	}
	return int((time.Duration(d) + time.Second - 1) / time.Second)
}
