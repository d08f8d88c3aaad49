// SPDX-License-Identifier: MPL-2.0

package phrase

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// Advice returns the text of the advice that a cluster check reports.
func Advice(a message.Advice) string {
	switch a.Kind {
	case message.AdviceAskForRole:
		return askForRole(a)
	case message.AdviceLabelNode:
		return fmt.Sprintf("With the profile \"openpai\", tasks run only on labeled nodes: kubectl label node NAME %s=true", a.Name)
	case message.AdviceLabelNamespace:
		return fmt.Sprintf("Ask an administrator to add the label %s=baseline to the namespace.", a.Name)
	case message.AdviceSmallerRequest:
		return fmt.Sprintf("A task requests %d; reduce the request, or add a larger node.", a.Count)
	}
	if text, ok := advice[a.Kind]; ok {
		return text
	}
	panic("phrase: no text defined for the advice " + string(a.Kind))
}

func askForRole(a message.Advice) string {
	ask := fmt.Sprintf("Ask an administrator for the role that %q prints.", command(message.CommandManifests))
	if a.Use == "" {
		return ask
	}
	return fmt.Sprintf("%s%s will fail. %s", strings.ToUpper(a.Use[:1]), a.Use[1:], ask)
}

var (
	manifests = "Ask an administrator to apply the output of: " + command(message.CommandManifests)
	install   = manifests + " --engine-image IMAGE"
)

// advice maps each kind of advice without data to its sentence.
var advice = map[message.AdviceKind]string{
	message.AdviceInstall:        install,
	message.AdviceInstallV1:      "Version v1 is required. " + manifests,
	message.AdviceInstallPolicy:  manifests + " (the policy requires Kubernetes 1.36)",
	message.AdviceFindEngine:     "Ask an administrator whether FrameworkController runs and watches this namespace.",
	message.AdviceOneEngine:      "Two instances of FrameworkController that manage the same namespaces undo each other's changes; keep only one.",
	message.AdviceReadPod:        "Check the events and the log of that Pod.",
	message.AdviceLivingOpenPAI:  hclspec.LivingOpenPAI.Advice,
	message.AdviceNewerCluster:   "Use a newer cluster.",
	message.AdviceAwaitNode:      "Tasks wait until a node is available.",
	message.AdviceDevicePlugin:   "Install the vendor's device plugin on the GPU nodes.",
	message.AdviceAwaitNamespace: "Wait until the namespace is deleted, then create it again.",
	message.AdviceTrustedUsers:   `The profile "openpai" requires the level "privileged". Let only node administrators run jobs in this namespace, or use the profile "standard" and the level "baseline".`,
	message.AdvicePrivileged:     `The profile "openpai" requires host networks and capabilities: use the level "privileged", or the profile "standard".`,

	message.AdviceVolumePermission:   "Ask an administrator to create the volume and the claim. Then set \"claim\" in the storage block to the name of the claim.",
	message.AdvicePriorityPermission: fmt.Sprintf("Ask an administrator to apply the output of %q, or remove priority_class from the cluster block.", command(message.CommandPriorityClassManifests)),
	message.AdviceConnection:         "Check kubeconfig and context in the cluster block.",
	message.AdviceNamespace:          `Create the namespace, or set "namespace" in the cluster block to a different name.`,
	message.AdvicePodSecurity:        `Set pod_security = "restricted" in the cluster block.`,
	message.AdviceRuntimeImage:       fmt.Sprintf(`Push an image with %q and set runtime { image = "..." }.`, command(message.CommandPushRuntime)),
	message.AdviceMissingObject:      "The configuration refers to this object: create it, or remove the reference.",
	message.AdviceClaimNotFound:      hclspec.ClaimNotFound.Advice,
	message.AdviceClaimPending:       "Tasks wait until the claim is bound; check the events of the claim.",
	message.AdviceClaimLost:          "The volume of the claim no longer exists; create the claim again.",

	message.AdviceDirectory:    "Use an existing directory.",
	message.AdvicePreferBash:   "Install bash: without it, commands that use bash features fail.",
	message.AdviceInstallShell: "Install bash.",
	message.AdviceNoMounts:     "In commands, use the path from the variable PAI_STORAGE_NAME, or permit user namespaces.",
}
