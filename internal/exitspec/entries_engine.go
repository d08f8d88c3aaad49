// SPDX-License-Identifier: MPL-2.0

package exitspec

// engineEntries are set by FrameworkController, Kubernetes and OpenPAI's
// database controller. No container exits with them.
var engineEntries = []Entry{
	{Code: -100, Phrase: "ConfigMapExternalDeleted", Issuer: IssuerEngine, Causer: CauserPlatform, Type: TypePlatform, Stage: StageUnknown, Behavior: Transient,
		Reason: "the object that stands for the job's attempt was deleted by somebody else", Hint: HintFindDeleter},
	{Code: -101, Phrase: "PodExternalDeleted", Issuer: IssuerEngine, Causer: CauserPlatform, Type: TypePlatform, Stage: StageUnknown, Behavior: Transient,
		Reason: "the Pod was deleted by somebody else, for example to make room for a job of higher priority", Hint: HintRaisePriority},
	{Code: -110, Phrase: "ConfigMapLocalCacheCreationTimeout", Issuer: IssuerEngine, Causer: CauserPlatform, Type: TypePlatform, Stage: StageLaunching, Behavior: Transient,
		Reason: "the object that stands for the job's attempt was created but not seen in time", Hint: HintServerOverloaded},
	{Code: -111, Phrase: "PodLocalCacheCreationTimeout", Issuer: IssuerEngine, Causer: CauserPlatform, Type: TypePlatform, Stage: StageLaunching, Behavior: Transient,
		Reason: "the Pod was created but not seen in time", Hint: HintServerOverloaded},
	{Code: -120, Phrase: "PodCreationTransientError", Issuer: IssuerEngine, Causer: CauserPlatform, Type: TypePlatform, Stage: StageLaunching, Behavior: Transient,
		Reason: "the Pod cannot be created for now, for example because the quota of the namespace is used up", Hint: HintFreeQuota},
	{Code: -200, Phrase: "PodCreationPermanentError", Issuer: IssuerEngine, Causer: CauserSubmission, Type: TypeUser, Stage: StageSubmitting, Behavior: Permanent,
		Reason: "Kubernetes refuses the Pod as invalid or too large", Hint: HintReadFieldInMessage},
	{Code: -210, Phrase: "StopFrameworkRequested", Issuer: IssuerEngine, Causer: CauserStop, Type: TypeStop, Stage: StageUnknown, Behavior: Permanent,
		Reason: "the job was stopped on request"},
	{Code: -220, Phrase: "FrameworkAttemptCompletion", Issuer: IssuerEngine, Causer: CauserStop, Type: TypeStop, Stage: StageUnknown, Behavior: Permanent,
		Reason: "the task was ended because the job's attempt is complete", Hint: HintReadTrigger},
	{Code: -230, Phrase: "DeleteTaskRequested", Issuer: IssuerEngine, Causer: CauserScaleDown, Type: TypeStop, Stage: StageUnknown, Behavior: Permanent,
		Reason: "the task was removed because the task role was made smaller"},
	{Code: -300, Phrase: "PodFailedWithoutFailedContainer", Issuer: IssuerEngine, Causer: CauserUndetermined, Type: TypeUnknown, Stage: StageLaunching, Behavior: Unknown,
		Reason: "the Pod failed although none of its containers did", Hint: HintReadNodeEvents},
	{Code: -310, Phrase: "PodCreationUnknownError", Issuer: IssuerEngine, Causer: CauserUndetermined, Type: TypeUnknown, Stage: StageLaunching, Behavior: Unknown,
		Reason: "Kubernetes refuses the Pod for a reason that is not understood", Hint: HintReadRefusal},

	{Code: -1000, Phrase: "PodEvicted", Issuer: IssuerKubernetes, Causer: CauserKubernetes, Type: TypePlatform, Stage: StageRunning, Behavior: Transient,
		Reason: "the node ran short of disk or memory and evicted the Pod", Hint: HintUseStorage,
		Patterns: podReason(`^Evicted$`)},
	{Code: -1001, Phrase: "PodNodeLost", Issuer: IssuerKubernetes, Causer: CauserKubernetes, Type: TypePlatform, Stage: StageRunning, Behavior: Transient,
		Reason: "the node of the Pod was lost", Hint: HintWaitForRetry,
		Patterns: podReason(`^NodeLost$`)},
	{Code: -1002, Phrase: "PodScheduledToInsufficientResourceNode", Issuer: IssuerKubernetes, Causer: CauserKubernetes, Type: TypePlatform, Stage: StageLaunching, Behavior: Transient,
		Reason: "the node had less free resources than the scheduler believed", Hint: HintWaitForRetry,
		Patterns: podReason(`^OutOf\S+$`)},
	{Code: -1003, Phrase: "PodPreemptedForCriticalPod", Issuer: IssuerKubernetes, Causer: CauserKubernetes, Type: TypePlatform, Stage: StageRunning, Behavior: Transient,
		Reason: "the Pod made room for a critical Pod of the node", Hint: HintWaitForRetry,
		Patterns: podReason(`^Preempting$`)},
	{Code: -1004, Phrase: "PodDeadlineExceeded", Issuer: IssuerKubernetes, Causer: CauserStop, Type: TypeStop, Stage: StageRunning, Behavior: Permanent,
		Reason: "the task ran longer than its max_run_time allows", Hint: HintRaiseRunTime,
		Patterns: podReason(`^DeadlineExceeded$`)},
	{Code: -1005, Phrase: "PodNodeAdmissionForbidden", Issuer: IssuerKubernetes, Causer: CauserSubmission, Type: TypeUser, Stage: StageLaunching, Behavior: Permanent,
		Reason: "the node does not permit what the Pod asks for", Hint: HintRemoveSetting,
		Patterns: podReason(`^Forbidden$`)},
	{Code: -1006, Phrase: "PodNodeAdmissionUnexpectedError", Issuer: IssuerKubernetes, Causer: CauserKubernetes, Type: TypePlatform, Stage: StageLaunching, Behavior: Transient,
		Reason: "the node could not take the Pod, often because a device disappeared", Hint: HintReportRepeatingNode,
		Patterns: podReason(`^(UnexpectedAdmissionError|UnknownReason|InvalidNodeInfo|UnexpectedPredicateFailureType)$`)},
	{Code: -1100, Phrase: "CreateFrameworkPermanentFailed", Issuer: IssuerDatabase, Causer: CauserSubmission, Type: TypeUser, Stage: StageSubmitting, Behavior: Permanent,
		Reason: "Kubernetes refuses the job as invalid or too large", Hint: HintShrinkJob},
}

func podReason(expr string) []Pattern { return []Pattern{{Pod: newRegexp(expr)}} }
