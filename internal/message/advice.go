package message

// Advice is what an administrator or user can do about the result of a check of
// a cluster, as a kind and its data. A front end phrases it as sentences.
type Advice struct {
	Kind AdviceKind
	// Name is that of the label or resource that the advice is about.
	Name string
	// Use is what fails without a permission, "" for plan and apply.
	Use string
	// Count is how many of a resource a task asks for.
	Count int
}

// AdviceKind says what to do.
type AdviceKind string

// Advice about what a cluster has installed.
const (
	AdviceInstall        AdviceKind = "install"          // apply the manifests
	AdviceInstallV1      AdviceKind = "install-v1"       // the same for a CRD without the version v1
	AdviceInstallPolicy  AdviceKind = "install-policy"   // the same for the admission policy
	AdviceFindEngine     AdviceKind = "find-engine"      // does it run and watch the namespace?
	AdviceOneEngine      AdviceKind = "one-engine"       // keep one of several
	AdviceReadPod        AdviceKind = "read-pod"         // read the events and log of a Pod
	AdviceLivingOpenPAI  AdviceKind = "living-openpai"   // see the diagnostic of that code
	AdviceNewerCluster   AdviceKind = "newer-cluster"    // the API server is too old
	AdviceAwaitNode      AdviceKind = "await-node"       // no node is ready
	AdviceLabelNode      AdviceKind = "label-node"       // give a node the label of the Name
	AdviceDevicePlugin   AdviceKind = "device-plugin"    // install the one of the vendor
	AdviceSmallerRequest AdviceKind = "smaller-request"  // no node has the Count
	AdviceLabelNamespace AdviceKind = "label-namespace"  // give the namespace the label of the Name
	AdviceAwaitNamespace AdviceKind = "await-namespace"  // it is being deleted
	AdviceTrustedUsers   AdviceKind = "trusted-users"    // whoever runs jobs is root on the nodes
	AdvicePrivileged     AdviceKind = "privileged-level" // the profile needs that level
)

// Advice about permissions and the objects that a configuration names.
const (
	AdviceAskForRole         AdviceKind = "ask-for-role"        // ask for the role of users; Use
	AdviceVolumePermission   AdviceKind = "volume-permission"   // let an administrator create volumes
	AdvicePriorityPermission AdviceKind = "priority-permission" // ask for it, or write no priority class
	AdviceConnection         AdviceKind = "connection"          // check how the cluster is reached
	AdviceNamespace          AdviceKind = "namespace"           // create it, or write another one
	AdvicePodSecurity        AdviceKind = "pod-security"        // write the level "restricted"
	AdviceRuntimeImage       AdviceKind = "runtime-image"       // push one and write it
	AdviceMissingObject      AdviceKind = "missing-object"      // create it, or do not name it
	AdviceClaimNotFound      AdviceKind = "claim-not-found"     // see the diagnostic of that code
	AdviceClaimPending       AdviceKind = "claim-pending"       // read its events
	AdviceClaimLost          AdviceKind = "claim-lost"          // create it again
)

// Advice about the local cluster.
const (
	AdviceDirectory    AdviceKind = "directory"     // name one that exists
	AdvicePreferBash   AdviceKind = "prefer-bash"   // sh has less
	AdviceInstallShell AdviceKind = "install-shell" // there is none
	AdviceNoMounts     AdviceKind = "no-mounts"     // use variables, or permit user namespaces
)

// AdviceKinds lists every kind, for the tests of the front ends.
func AdviceKinds() []AdviceKind {
	return []AdviceKind{
		AdviceInstall, AdviceInstallV1, AdviceInstallPolicy, AdviceFindEngine, AdviceOneEngine, AdviceReadPod, AdviceLivingOpenPAI, AdviceNewerCluster,
		AdviceAwaitNode, AdviceLabelNode, AdviceDevicePlugin, AdviceSmallerRequest, AdviceLabelNamespace, AdviceAwaitNamespace, AdviceTrustedUsers, AdvicePrivileged,
		AdviceAskForRole, AdviceVolumePermission, AdvicePriorityPermission, AdviceConnection, AdviceNamespace, AdvicePodSecurity, AdviceRuntimeImage,
		AdviceMissingObject, AdviceClaimNotFound, AdviceClaimPending, AdviceClaimLost,
		AdviceDirectory, AdvicePreferBash, AdviceInstallShell, AdviceNoMounts,
	}
}

// Fact marks an advice as a fact.
func (Advice) Fact() {}

func (a Advice) String() string { return "advice:" + string(a.Kind) }

// Text is a text of the advice alone.
func (a Advice) Text() Text { return Textf("%s", a) }
