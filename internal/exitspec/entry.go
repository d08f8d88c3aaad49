// SPDX-License-Identifier: MPL-2.0

package exitspec

// Entry describes one exit code. Source of codes, phrases and classes:
// microsoft/pai: src/k8s-job-exit-spec/config/k8s-job-exit-spec.yaml.
type Entry struct {
	Code     int
	Phrase   string
	Issuer   Issuer
	Causer   Causer
	Type     Type
	Stage    Stage
	Behavior Behavior
	// Reason describes the failure in one sentence.
	Reason string
	// Hint is the recommended action. Solution is a sentence from the cluster
	// operator. If set, it replaces the hint.
	Hint     Hint
	Solution string

	Patterns []Pattern
}

// Behavior determines whether the engine retries a failure.
type Behavior string

// Behaviors. A failure with an unknown behavior counts against the user's
// retry budget.
const (
	Transient         Behavior = "TRANSIENT"
	TransientConflict Behavior = "TRANSIENT_CONFLICT"
	Permanent         Behavior = "PERMANENT"
	Unknown           Behavior = "UNKNOWN"
)

// Reaction describes how the engine reacts to a failure with this behavior.
func (b Behavior) Reaction() string {
	switch b {
	case Transient:
		return "ALWAYS_RETRY"
	case TransientConflict:
		return "ALWAYS_BACKOFF_RETRY"
	case Permanent:
		return "NEVER_RETRY"
	default:
		return "RETRY_TO_MAX"
	}
}

// Type is the class of a result, for statistics and filters.
type Type string

// Types.
const (
	TypeSuccess   Type = "USER_SUCCESS"
	TypeStop      Type = "USER_STOP"
	TypeUser      Type = "USER_FAILURE"
	TypePlatform  Type = "PLATFORM_FAILURE"
	TypeResources Type = "RESOURCE_ALLOCATION_TIMEOUT"
	TypeUnknown   Type = "UNKNOWN_FAILURE"
)

// Issuer is the part of the platform or job that reported the code.
type Issuer string

// Causer is the part of the platform or job that caused the failure.
type Causer string

// Values of Issuer and Causer.
const (
	IssuerUser         Issuer = "USER_CONTAINER"
	IssuerOS           Issuer = "PAI_OS"
	IssuerRuntime      Issuer = "PAI_RUNTIME"
	IssuerContainer    Issuer = "PAI_DOCKER"
	IssuerKubernetes   Issuer = "PAI_K8S"
	IssuerEngine       Issuer = "PAI_FC"
	IssuerDatabase     Issuer = "PAI_DB_CONTROLLER"
	IssuerUnknown      Issuer = "UNKNOWN"
	CauserSubmission   Causer = "USER_SUBMISSION"
	CauserUser         Causer = "USER_CONTAINER"
	CauserStop         Causer = "USER_STOP"
	CauserScaleDown    Causer = "USER_SCALEDOWN"
	CauserResources    Causer = "RESOURCE_ALLOCATION_TIMEOUT"
	CauserOS           Causer = "PAI_OS"
	CauserRuntime      Causer = "PAI_RUNTIME"
	CauserKubernetes   Causer = "PAI_K8S"
	CauserHardware     Causer = "PAI_HW"
	CauserPlatform     Causer = "PAI_UNKNOWN"
	CauserUndetermined Causer = "UNKNOWN"
)

// Stage is the part of the lifecycle in which a task ended.
type Stage string

// Stages.
const (
	StageSubmitting Stage = "SUBMITTING"
	StageAllocating Stage = "ALLOCATING"
	StageLaunching  Stage = "LAUNCHING"
	StageRunning    Stage = "RUNNING"
	StageCompleting Stage = "COMPLETING"
	StageUnknown    Stage = "UNKNOWN"
)
