// SPDX-License-Identifier: MPL-2.0

package message

// Advice is an action for an administrator or user after a failed cluster check.
// Advice consists of a kind and the data that the kind requires. Front ends
// phrase Advice as sentences.
type Advice struct {
	Kind AdviceKind
	// Name is the label or resource to which the advice refers.
	Name string
	// Use is the list of commands that require the missing permission. ""
	// means plan and apply.
	Use string
	// Count is the amount of a resource that a task requests.
	Count int
}

// AdviceKind is the kind of an [Advice].
type AdviceKind string

// Advice about the software in a cluster.
const (
	AdviceInstall        AdviceKind = "install"          // apply the manifests
	AdviceInstallV1      AdviceKind = "install-v1"       // apply the manifests: the CRD has no version v1
	AdviceInstallPolicy  AdviceKind = "install-policy"   // apply the manifests: the admission policy is missing
	AdviceFindEngine     AdviceKind = "find-engine"      // check that the engine runs and watches the namespace
	AdviceOneEngine      AdviceKind = "one-engine"       // keep one of several
	AdviceReadPod        AdviceKind = "read-pod"         // read the events and log of a Pod
	AdviceLivingOpenPAI  AdviceKind = "living-openpai"   // see the diagnostic with the same code
	AdviceNewerCluster   AdviceKind = "newer-cluster"    // the API server is too old
	AdviceAwaitNode      AdviceKind = "await-node"       // no node is ready
	AdviceLabelNode      AdviceKind = "label-node"       // add the label Name to a node
	AdviceDevicePlugin   AdviceKind = "device-plugin"    // install the vendor's plugin
	AdviceSmallerRequest AdviceKind = "smaller-request"  // no node has Count units of the resource
	AdviceLabelNamespace AdviceKind = "label-namespace"  // add the label Name to the namespace
	AdviceAwaitNamespace AdviceKind = "await-namespace"  // wait until the namespace is deleted
	AdviceTrustedUsers   AdviceKind = "trusted-users"    // all users who run jobs are root on the nodes
	AdvicePrivileged     AdviceKind = "privileged-level" // the profile requires the Pod Security level privileged
)

// Advice about permissions and the objects that a configuration refers to.
const (
	AdviceAskForRole         AdviceKind = "ask-for-role"        // ask an administrator for the user role that the commands in Use require
	AdviceVolumePermission   AdviceKind = "volume-permission"   // ask an administrator to create the volume and the claim
	AdvicePriorityPermission AdviceKind = "priority-permission" // ask for the permission, or remove the priority class
	AdviceConnection         AdviceKind = "connection"          // check the connection to the cluster
	AdviceNamespace          AdviceKind = "namespace"           // create the namespace, or use a different namespace
	AdvicePodSecurity        AdviceKind = "pod-security"        // use the level "restricted"
	AdviceRuntimeImage       AdviceKind = "runtime-image"       // push an image and configure it
	AdviceMissingObject      AdviceKind = "missing-object"      // create the object, or remove the reference
	AdviceClaimNotFound      AdviceKind = "claim-not-found"     // see the diagnostic with the same code
	AdviceClaimPending       AdviceKind = "claim-pending"       // read its events
	AdviceClaimLost          AdviceKind = "claim-lost"          // create it again
)

// Advice about the local cluster.
const (
	AdviceDirectory    AdviceKind = "directory"     // use an existing directory
	AdvicePreferBash   AdviceKind = "prefer-bash"   // sh has fewer features
	AdviceInstallShell AdviceKind = "install-shell" // no shell found
	AdviceNoMounts     AdviceKind = "no-mounts"     // use variables, or permit user namespaces
)

// AdviceKinds returns all kinds, for the tests of the front ends.
func AdviceKinds() []AdviceKind {
	return []AdviceKind{
		AdviceInstall, AdviceInstallV1, AdviceInstallPolicy, AdviceFindEngine, AdviceOneEngine, AdviceReadPod, AdviceLivingOpenPAI, AdviceNewerCluster,
		AdviceAwaitNode, AdviceLabelNode, AdviceDevicePlugin, AdviceSmallerRequest, AdviceLabelNamespace, AdviceAwaitNamespace, AdviceTrustedUsers, AdvicePrivileged,
		AdviceAskForRole, AdviceVolumePermission, AdvicePriorityPermission, AdviceConnection, AdviceNamespace, AdvicePodSecurity, AdviceRuntimeImage,
		AdviceMissingObject, AdviceClaimNotFound, AdviceClaimPending, AdviceClaimLost,
		AdviceDirectory, AdvicePreferBash, AdviceInstallShell, AdviceNoMounts,
	}
}

// Fact implements [Fact].
func (Advice) Fact() {}

func (a Advice) String() string { return "advice:" + string(a.Kind) }

// Text returns a [Text] that contains only the advice.
func (a Advice) Text() Text { return Textf("%s", a) }
