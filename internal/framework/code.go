// SPDX-License-Identifier: MPL-2.0

package framework

import (
	"encoding/json"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

// Completion codes that the engine itself defines. Source:
// microsoft/frameworkcontroller: pkg/apis/frameworkcontroller/v1/completion.go.
const (
	CodeSucceeded                 = 0
	CodeTransientFailed           = 200
	CodeTransientConflictFailed   = 201
	CodePermanentFailed           = 210
	CodeConfigMapDeleted          = -100
	CodePodDeleted                = -101
	CodeConfigMapNotSeen          = -110
	CodePodNotSeen                = -111
	CodePodCreationTransient      = -120
	CodePodCreationPermanent      = -200
	CodeStopRequested             = -210
	CodeAttemptCompletion         = -220
	CodeDeleteTaskRequested       = -230
	CodePodFailedWithoutContainer = -300
	CodePodCreationUnknown        = -310
)

// Code is a completion code, with its phrase and attributes.
type Code struct {
	Code       int32
	Phrase     string
	Attributes []Attribute // of a failure; empty if unknown
}

// predefined contains the engine's own codes. A container can also return 200, 201 or
// 210 as its exit code.
var predefined = []Code{
	{CodeSucceeded, "Succeeded", nil},
	{CodeTransientFailed, "ContainerTransientFailed", []Attribute{Transient}},
	{CodeTransientConflictFailed, "ContainerTransientConflictFailed", []Attribute{Transient, Conflict}},
	{CodePermanentFailed, "ContainerPermanentFailed", []Attribute{Permanent}},
	{CodeConfigMapDeleted, "ConfigMapExternalDeleted", []Attribute{Transient}},
	{CodePodDeleted, "PodExternalDeleted", []Attribute{Transient}},
	{CodeConfigMapNotSeen, "ConfigMapLocalCacheCreationTimeout", []Attribute{Transient}},
	{CodePodNotSeen, "PodLocalCacheCreationTimeout", []Attribute{Transient}},
	{CodePodCreationTransient, "PodCreationTransientError", []Attribute{Transient}},
	{CodePodCreationPermanent, "PodCreationPermanentError", []Attribute{Permanent}},
	{CodeStopRequested, "StopFrameworkRequested", []Attribute{Permanent}},
	{CodeAttemptCompletion, "FrameworkAttemptCompletion", []Attribute{Permanent}},
	{CodeDeleteTaskRequested, "DeleteTaskRequested", []Attribute{Permanent}},
	{CodePodFailedWithoutContainer, "PodFailedWithoutFailedContainer", nil},
	{CodePodCreationUnknown, "PodCreationUnknownError", nil},
}

// phraseUnrecognized is the phrase of an exit code that no rule describes.
const phraseUnrecognized = "ContainerUnrecognizedFailed"

// Codes converts the exit specification to rules for [FromExit]. It includes
// only codes that are possible nonzero container exit codes.
func Codes(entries []exitspec.Entry) []Code {
	var codes []Code
	for _, e := range entries {
		if e.Code > 0 && e.Code < 256 {
			codes = append(codes, Code{int32(e.Code), e.Phrase, Attributes(e.Behavior)})
		}
	}
	return codes
}

// Attributes returns the attributes of a failure with the given behavior.
// Source: microsoft/pai:
// src/frameworkcontroller/deploy/frameworkcontroller-config.yaml.template.
func Attributes(b exitspec.Behavior) []Attribute {
	switch b {
	case exitspec.Transient:
		return []Attribute{Transient}
	case exitspec.TransientConflict:
		return []Attribute{Transient, Conflict}
	case exitspec.Permanent:
		return []Attribute{Permanent}
	default:
		return nil
	}
}

// FromCode returns the completion status of a predefined code. It panics if the
// code is not predefined.
func FromCode(code int32, diagnostics string) *CompletionStatus {
	for _, c := range predefined {
		if c.Code == code {
			return c.status(diagnostics)
		}
	}
	panic(fmt.Sprintf("framework: %d is not a predefined completion code", code))
}

// FromExit returns the completion status for an exit code and termination message
// of the container "app". Predefined codes take precedence over the codes argument.
// An unknown exit code results in a failure without attributes.
func FromExit(code int, message string, codes []Code) *CompletionStatus {
	container := ContainerCompletionStatus{Name: "app", Reason: "Error", Message: message, Code: int32(code)}
	if code == CodeSucceeded {
		container.Reason = "Completed"
	}
	pod := &PodCompletionStatus{Containers: []ContainerCompletionStatus{container}}
	status := exitStatus(int32(code), codes, summary(pod))
	status.Pod = pod
	return status
}

func exitStatus(code int32, codes []Code, pod string) *CompletionStatus {
	if code == CodeSucceeded {
		return FromCode(code, "Pod succeeded")
	}
	for _, c := range [][]Code{predefined, codes} {
		for _, known := range c {
			if known.Code == code && code > 0 {
				return known.status("Pod failed: PodPattern matched: " + pod)
			}
		}
	}
	unknown := Code{Code: code, Phrase: phraseUnrecognized}
	return unknown.status("Pod failed: PodPattern unmatched: " + pod)
}

func (c Code) status(diagnostics string) *CompletionStatus {
	name := Failed
	if c.Code == CodeSucceeded {
		name = Succeeded
	}
	return &CompletionStatus{
		Code:        c.Code,
		Phrase:      c.Phrase,
		Type:        CompletionType{Name: name, Attributes: append([]Attribute{}, c.Attributes...)},
		Diagnostics: diagnostics,
	}
}

func summary(pod *PodCompletionStatus) string {
	text, err := json.Marshal(pod)
	if err != nil {
		panic("framework: " + err.Error())
	}
	return string(text)
}
