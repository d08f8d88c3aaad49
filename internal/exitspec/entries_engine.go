// SPDX-License-Identifier: MPL-2.0

package exitspec

// engineEntries contains the codes from FrameworkController, Kubernetes and
// OpenPAI's database controller. A container never exits with these codes.
var engineEntries = []Entry{
	{Code: -100, Phrase: "ConfigMapExternalDeleted", Issuer: IssuerEngine, Causer: CauserPlatform, Type: TypePlatform, Stage: StageUnknown, Behavior: Transient,
		Reason: "another program or user deleted the ConfigMap for the job's attempt", Hint: HintFindDeleter},
	{Code: -101, Phrase: "PodExternalDeleted", Issuer: IssuerEngine, Causer: CauserPlatform, Type: TypePlatform, Stage: StageUnknown, Behavior: Transient,
		Reason: "another program or user deleted the Pod, for example to free resources for a higher-priority job", Hint: HintRaisePriority},
	{Code: -110, Phrase: "ConfigMapLocalCacheCreationTimeout", Issuer: IssuerEngine, Causer: CauserPlatform, Type: TypePlatform, Stage: StageLaunching, Behavior: Transient,
		Reason: "FrameworkController did not observe the new ConfigMap for the job's attempt in time", Hint: HintServerOverloaded},
	{Code: -111, Phrase: "PodLocalCacheCreationTimeout", Issuer: IssuerEngine, Causer: CauserPlatform, Type: TypePlatform, Stage: StageLaunching, Behavior: Transient,
		Reason: "FrameworkController did not observe the new Pod in time", Hint: HintServerOverloaded},
	{Code: -120, Phrase: "PodCreationTransientError", Issuer: IssuerEngine, Causer: CauserPlatform, Type: TypePlatform, Stage: StageLaunching, Behavior: Transient,
		Reason: "the Pod cannot currently be created, for example because the namespace's quota is exhausted", Hint: HintFreeQuota},
	{Code: -200, Phrase: "PodCreationPermanentError", Issuer: IssuerEngine, Causer: CauserSubmission, Type: TypeUser, Stage: StageSubmitting, Behavior: Permanent,
		Reason: "Kubernetes rejects the Pod as invalid or too large", Hint: HintReadFieldInMessage},
	{Code: -210, Phrase: "StopFrameworkRequested", Issuer: IssuerEngine, Causer: CauserStop, Type: TypeStop, Stage: StageUnknown, Behavior: Permanent,
		Reason: "the job was stopped on request"},
	{Code: -220, Phrase: "FrameworkAttemptCompletion", Issuer: IssuerEngine, Causer: CauserStop, Type: TypeStop, Stage: StageUnknown, Behavior: Permanent,
		Reason: "the task was stopped because the job's attempt was complete", Hint: HintReadTrigger},
	{Code: -230, Phrase: "DeleteTaskRequested", Issuer: IssuerEngine, Causer: CauserScaleDown, Type: TypeStop, Stage: StageUnknown, Behavior: Permanent,
		Reason: "the task was removed because the task role was scaled down"},
	{Code: -300, Phrase: "PodFailedWithoutFailedContainer", Issuer: IssuerEngine, Causer: CauserUndetermined, Type: TypeUnknown, Stage: StageLaunching, Behavior: Unknown,
		Reason: "the Pod failed, but none of its containers failed", Hint: HintReadNodeEvents},
	{Code: -310, Phrase: "PodCreationUnknownError", Issuer: IssuerEngine, Causer: CauserUndetermined, Type: TypeUnknown, Stage: StageLaunching, Behavior: Unknown,
		Reason: "Kubernetes rejects the Pod for an unknown reason", Hint: HintReadRefusal},

	{Code: -1000, Phrase: "PodEvicted", Issuer: IssuerKubernetes, Causer: CauserKubernetes, Type: TypePlatform, Stage: StageRunning, Behavior: Transient,
		Reason: "the node ran low on disk space or memory and evicted the Pod", Hint: HintUseStorage,
		Patterns: podReason(`^Evicted$`)},
	{Code: -1001, Phrase: "PodNodeLost", Issuer: IssuerKubernetes, Causer: CauserKubernetes, Type: TypePlatform, Stage: StageRunning, Behavior: Transient,
		Reason: "the Pod's node was lost", Hint: HintWaitForRetry,
		Patterns: podReason(`^NodeLost$`)},
	{Code: -1002, Phrase: "PodScheduledToInsufficientResourceNode", Issuer: IssuerKubernetes, Causer: CauserKubernetes, Type: TypePlatform, Stage: StageLaunching, Behavior: Transient,
		Reason: "the node had fewer free resources than the scheduler assumed", Hint: HintWaitForRetry,
		Patterns: podReason(`^OutOf\S+$`)},
	{Code: -1003, Phrase: "PodPreemptedForCriticalPod", Issuer: IssuerKubernetes, Causer: CauserKubernetes, Type: TypePlatform, Stage: StageRunning, Behavior: Transient,
		Reason: "the Pod was evicted to make room for a critical Pod on the node", Hint: HintWaitForRetry,
		Patterns: podReason(`^Preempting$`)},
	{Code: -1004, Phrase: "PodDeadlineExceeded", Issuer: IssuerKubernetes, Causer: CauserStop, Type: TypeStop, Stage: StageRunning, Behavior: Permanent,
		Reason: "the task exceeded its max_run_time", Hint: HintRaiseRunTime,
		Patterns: podReason(`^DeadlineExceeded$`)},
	{Code: -1005, Phrase: "PodNodeAdmissionForbidden", Issuer: IssuerKubernetes, Causer: CauserSubmission, Type: TypeUser, Stage: StageLaunching, Behavior: Permanent,
		Reason: "the node does not permit a setting that the Pod requests", Hint: HintRemoveSetting,
		Patterns: podReason(`^Forbidden$`)},
	{Code: -1006, Phrase: "PodNodeAdmissionUnexpectedError", Issuer: IssuerKubernetes, Causer: CauserKubernetes, Type: TypePlatform, Stage: StageLaunching, Behavior: Transient,
		Reason: "the node could not run the Pod, often because a device disappeared", Hint: HintReportRepeatingNode,
		Patterns: podReason(`^(UnexpectedAdmissionError|UnknownReason|InvalidNodeInfo|UnexpectedPredicateFailureType)$`)},
	{Code: -1100, Phrase: "CreateFrameworkPermanentFailed", Issuer: IssuerDatabase, Causer: CauserSubmission, Type: TypeUser, Stage: StageSubmitting, Behavior: Permanent,
		Reason: "Kubernetes rejects the job as invalid or too large", Hint: HintShrinkJob},
}

func podReason(expr string) []Pattern { return []Pattern{{Pod: newRegexp(expr)}} }
