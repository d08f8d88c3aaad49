package exitspec

// Entry is one exit code with what it means. Source of codes, phrases and
// classes: microsoft/pai: src/k8s-job-exit-spec/config/k8s-job-exit-spec.yaml.
type Entry struct {
	Code     int
	Phrase   string
	Issuer   Issuer
	Causer   Causer
	Type     Type
	Stage    Stage
	Behavior Behavior
	// Reason says in one sentence what happened.
	Reason string
	// Hint says what to do. Solution says it in the words of the operator of the
	// cluster, who may have some.
	Hint     Hint
	Solution string

	Patterns []Pattern
}

// Behavior decides about retries.
type Behavior string

// The behaviors. An unknown one counts against the user's retry budget.
const (
	Transient         Behavior = "TRANSIENT"
	TransientConflict Behavior = "TRANSIENT_CONFLICT"
	Permanent         Behavior = "PERMANENT"
	Unknown           Behavior = "UNKNOWN"
)

// Reaction returns what the engine does after a failure that behaves so.
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

// Type is the class of an outcome, for statistics and filters.
type Type string

// The types.
const (
	TypeSuccess   Type = "USER_SUCCESS"
	TypeStop      Type = "USER_STOP"
	TypeUser      Type = "USER_FAILURE"
	TypePlatform  Type = "PLATFORM_FAILURE"
	TypeResources Type = "RESOURCE_ALLOCATION_TIMEOUT"
	TypeUnknown   Type = "UNKNOWN_FAILURE"
)

// Issuer is the part that reported the code.
type Issuer string

// Causer is who or what is behind it.
type Causer string

// The parts of the platform and of the job, as issuer or causer.
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

// Stage is the part of a task's life in which it ended.
type Stage string

// The stages.
const (
	StageSubmitting Stage = "SUBMITTING"
	StageAllocating Stage = "ALLOCATING"
	StageLaunching  Stage = "LAUNCHING"
	StageRunning    Stage = "RUNNING"
	StageCompleting Stage = "COMPLETING"
	StageUnknown    Stage = "UNKNOWN"
)
