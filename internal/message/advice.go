// SPDX-License-Identifier: MPL-2.0

package message

// Advice is an action that an administrator or user can take after a failed check
// of a cluster. Advice consists of a kind, and of data that the kind requires.
// Front ends phrase Advice as sentences.
type Advice struct {
	Kind AdviceKind
	// Name is the label or resource to which the advice refers.
	Name string
	// Use lists the commands that fail without a permission. "" means plan and
	// apply.
	Use string
	// Count is the amount of a resource that a task requests.
	Count int
}

// AdviceKind is the kind of an [Advice].
type AdviceKind string

// Advice about the software in a cluster.
const (
	AdviceInstall        AdviceKind = "install"          // apply the manifests
	AdviceInstallV1      AdviceKind = "install-v1"       // like the previous kind, for a CRD without version v1
	AdviceInstallPolicy  AdviceKind = "install-policy"   // like the previous kind, for the admission policy
	AdviceFindEngine     AdviceKind = "find-engine"      // check that it runs and watches the namespace
	AdviceOneEngine      AdviceKind = "one-engine"       // keep one of several
	AdviceReadPod        AdviceKind = "read-pod"         // read the events and log of a Pod
	AdviceLivingOpenPAI  AdviceKind = "living-openpai"   // see the diagnostic with that code
	AdviceNewerCluster   AdviceKind = "newer-cluster"    // the API server is too old
	AdviceAwaitNode      AdviceKind = "await-node"       // no node is ready
	AdviceLabelNode      AdviceKind = "label-node"       // give a node the label in Name
	AdviceDevicePlugin   AdviceKind = "device-plugin"    // install the vendor's plugin
	AdviceSmallerRequest AdviceKind = "smaller-request"  // no node has Count units of the resource
	AdviceLabelNamespace AdviceKind = "label-namespace"  // give the namespace the label in Name
	AdviceAwaitNamespace AdviceKind = "await-namespace"  // it is being deleted; wait
	AdviceTrustedUsers   AdviceKind = "trusted-users"    // all users who run jobs are root on the nodes
	AdvicePrivileged     AdviceKind = "privileged-level" // the profile requires that level
)

// Advice about permissions and the objects that a configuration refers to.
const (
	AdviceAskForRole         AdviceKind = "ask-for-role"        // ask for the role of users; with Use
	AdviceVolumePermission   AdviceKind = "volume-permission"   // let an administrator create volumes
	AdvicePriorityPermission AdviceKind = "priority-permission" // ask for the permission, or remove the priority class
	AdviceConnection         AdviceKind = "connection"          // check the connection to the cluster
	AdviceNamespace          AdviceKind = "namespace"           // create the namespace, or use another namespace
	AdvicePodSecurity        AdviceKind = "pod-security"        // use the level "restricted"
	AdviceRuntimeImage       AdviceKind = "runtime-image"       // push an image and configure it
	AdviceMissingObject      AdviceKind = "missing-object"      // create it, or remove the reference
	AdviceClaimNotFound      AdviceKind = "claim-not-found"     // see the diagnostic with that code
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
