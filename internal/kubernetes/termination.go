// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"cmp"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/metrics"
)

// appContainer runs the user's commands.
const appContainer = "app"

// terminationMessage is the part of the runtime's termination message that openpai
// reads. Source of the keys: microsoft/openpai-runtime:
// go/pkg/aggregator/error_aggregator.go. The keys from reason to finishedAt are
// extensions of openpai.
type terminationMessage struct {
	ExitCode     *int   `yaml:"exitCode"`
	UserExitCode *int   `yaml:"originUserExitCode"`
	Reason       string `yaml:"reason"`
	Stage        string `yaml:"stage"`
	Step         string `yaml:"step"`
	Phrase       string `yaml:"phrase"`
	Hint         string `yaml:"hint"`
	Advice       string `yaml:"advice"`
	StartedAt    string `yaml:"startedAt"`
	FinishedAt   string `yaml:"finishedAt"`

	Metrics         metrics.Values `yaml:"metrics"`
	CPUSeconds      float64        `yaml:"cpuSeconds"`
	PeakMemoryBytes int64          `yaml:"peakMemoryBytes"`
	Fetched         []string       `yaml:"fetched"`

	Logs struct {
		User     string `yaml:"user"`
		Platform string `yaml:"platform"`
	} `yaml:"errorLogs"`
}

// parseMessage parses the message between its markers. ok is false without a
// valid message from the runtime.
func parseMessage(text string) (m terminationMessage, ok bool) {
	_, rest, ok := strings.Cut(text, exitspec.MessageStart)
	if !ok {
		return m, false
	}
	body, _, _ := strings.Cut(rest, exitspec.MessageEnd)
	return m, yaml.Unmarshal([]byte(body), &m) == nil
}

// exitRecord uses the runtime's termination message. Without the message, it
// uses the Pod status that the engine recorded.
func exitRecord(done *framework.CompletionStatus) *exitspec.Record {
	r := cluster.EngineExit(done)
	if strings.Contains(done.Diagnostics, "violates PodSecurity") {
		r.Hint = exitspec.HintRestrictPods
	}
	c := decidingContainer(done.Pod)
	if c == nil {
		return r
	}
	if c.Code != 0 || done.Code == 0 {
		r.Code, r.UserCode = int(c.Code), int(c.Code)
	}
	if c.Name != appContainer {
		r.Stage = "init"
	}
	m, ok := parseMessage(c.Message)
	if !ok {
		r.Reason = cmp.Or(describeContainer(c), r.Reason)
		r.LastLines = lines(c.Message)
		return r
	}
	// The task can also write the message, so the message must not turn a
	// failure into a success.
	if m.ExitCode != nil && (*m.ExitCode != 0 || r.Code == 0) {
		r.Code = *m.ExitCode
	}
	if m.UserExitCode != nil && (*m.UserExitCode != 0 || r.Code == 0) {
		r.UserCode = *m.UserExitCode
	}
	r.Reason, r.Stage, r.Step = cmp.Or(m.Reason, r.Reason), cmp.Or(m.Stage, r.Stage), m.Step
	r.LastLines = lines(cmp.Or(m.Logs.User, m.Logs.Platform))
	r.Metrics, r.CPUSeconds, r.PeakMemoryBytes = m.Metrics.Clean(), max(m.CPUSeconds, 0), max(m.PeakMemoryBytes, 0)
	r.Fetched = exitspec.ParseFetched(m.Fetched)
	r.Started, _ = time.Parse(time.RFC3339Nano, m.StartedAt)
	r.Finished, _ = time.Parse(time.RFC3339Nano, m.FinishedAt)
	if e, known := exitspec.Lookup(r.Code); known {
		r.Phrase, r.Behavior, r.Hint = e.Phrase, string(e.Behavior), e.Hint
	}
	r.Phrase, r.Hint, r.Advice = cmp.Or(m.Phrase, r.Phrase), cmp.Or(exitspec.Hint(m.Hint), r.Hint), m.Advice
	return r
}

// decidingContainer returns the failed container, or the app container if no
// container failed.
func decidingContainer(p *framework.PodCompletionStatus) *framework.ContainerCompletionStatus {
	if p == nil {
		return nil
	}
	var found *framework.ContainerCompletionStatus
	for i := range p.Containers {
		c := &p.Containers[i]
		if c.Code != 0 && (found == nil || found.Code == 0) || found == nil && c.Name == appContainer {
			found = c
		}
	}
	return found
}

// describeContainer returns why a container ended, or "" if unknown. It is
// for containers without a termination message from the runtime.
func describeContainer(c *framework.ContainerCompletionStatus) string {
	switch {
	case c.Code == 0:
		return ""
	case c.Reason == "OOMKilled":
		return "the container " + c.Name + " was killed because it exceeded its memory limit"
	case c.Reason != "":
		return "the container " + c.Name + " ended: " + c.Reason
	}
	return ""
}

func lines(text string) []string {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
