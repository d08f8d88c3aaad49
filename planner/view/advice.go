// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// Advice returns advice for the command line about the result of a cluster
// check.
func Advice(a message.Advice) string {
	switch a.Kind {
	case message.AdviceAskForRole:
		return askForRole(a)
	case message.AdviceLabelNode:
		return fmt.Sprintf("Tasks of the profile \"openpai\" run on such nodes only: kubectl label node NAME %s=true", a.Name)
	case message.AdviceLabelNamespace:
		return fmt.Sprintf("Let an administrator label the namespace %s=baseline.", a.Name)
	case message.AdviceSmallerRequest:
		return fmt.Sprintf("A task asks for %d; ask for less, or add a larger node.", a.Count)
	}
	if text, ok := advice[a.Kind]; ok {
		return text
	}
	panic("planner/view: no words for the advice " + string(a.Kind))
}

func askForRole(a message.Advice) string {
	ask := fmt.Sprintf("Ask for the role that %q prints.", command(message.CommandManifests))
	if a.Use == "" {
		return ask
	}
	return fmt.Sprintf("%s%s will fail. %s", strings.ToUpper(a.Use[:1]), a.Use[1:], ask)
}

var (
	manifests = "Let an administrator apply: " + command(message.CommandManifests)
	install   = manifests + " --engine-image IMAGE"
)

// advice holds the sentences of all kinds without data.
var advice = map[message.AdviceKind]string{
	message.AdviceInstall:        install,
	message.AdviceInstallV1:      "The version v1 is needed. " + manifests,
	message.AdviceInstallPolicy:  manifests + " (the policy needs Kubernetes 1.36)",
	message.AdviceFindEngine:     "Let an administrator look whether FrameworkController runs and watches this namespace.",
	message.AdviceOneEngine:      "Two instances on the same namespaces undo each other's work; keep one.",
	message.AdviceReadPod:        "Look at the events and the log of that Pod.",
	message.AdviceLivingOpenPAI:  hclspec.LivingOpenPAI.Advice,
	message.AdviceNewerCluster:   "Use a newer cluster.",
	message.AdviceAwaitNode:      "Tasks wait until there is a node.",
	message.AdviceDevicePlugin:   "Install the device plugin of the vendor on the nodes with GPUs.",
	message.AdviceAwaitNamespace: "Wait until it is gone, and create it again.",
	message.AdviceTrustedUsers:   `The profile "openpai" needs that: let only administrators of the nodes run jobs here, or use the profile "standard" and the level baseline.`,
	message.AdvicePrivileged:     `The profile "openpai" needs host networks and capabilities: use the level privileged, or the profile "standard".`,

	message.AdviceVolumePermission:   "Let an administrator make volume and claim, and name the claim in the storage block.",
	message.AdvicePriorityPermission: fmt.Sprintf("Ask for what %q prints, or remove priority_class from the cluster block.", command(message.CommandPriorityClassManifests)),
	message.AdviceConnection:         "Check kubeconfig and context of the cluster block.",
	message.AdviceNamespace:          `Create it, or name another one with namespace = "..." in the cluster block.`,
	message.AdvicePodSecurity:        `Write pod_security = "restricted" in the cluster block.`,
	message.AdviceRuntimeImage:       fmt.Sprintf(`Push one with %q and write runtime { image = "..." }.`, command(message.CommandPushRuntime)),
	message.AdviceMissingObject:      "The configuration names it; create it, or leave it out.",
	message.AdviceClaimNotFound:      hclspec.ClaimNotFound.Advice,
	message.AdviceClaimPending:       "Tasks wait until it is; look at its events.",
	message.AdviceClaimLost:          "Its volume is gone; make the claim again.",

	message.AdviceDirectory:    "Name a directory that exists.",
	message.AdvicePreferBash:   "Install bash: commands that use more than sh has fail without it.",
	message.AdviceInstallShell: "Install bash.",
	message.AdviceNoMounts:     "Use the paths in PAI_STORAGE_NAME in commands, or permit user namespaces.",
}
