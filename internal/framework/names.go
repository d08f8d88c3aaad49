package framework

import "strconv"

// ConfigMapName returns the name of the ConfigMap that stands for the current
// attempt of a Framework.
func ConfigMapName(framework string) string { return framework + "-attempt" }

// PodName returns the name of the Pod of a task. A retry has the same name and
// another UID.
func PodName(framework, role string, index int) string {
	return framework + "-" + role + "-" + strconv.Itoa(index)
}

// InstanceUID returns the identity of an attempt: its number and the UID of
// the object that stands for it.
func InstanceUID(attempt int32, objectUID string) string {
	return strconv.Itoa(int(attempt)) + "_" + objectUID
}

// AttemptCompletionDiagnostics is the text of tasks that ended because their
// Framework attempt did.
const AttemptCompletionDiagnostics = "Stop to complete current FrameworkAttempt"
