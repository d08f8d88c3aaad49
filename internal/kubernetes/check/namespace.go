// SPDX-License-Identifier: MPL-2.0

package check

import (
	"context"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/install"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner/render"
)

// levelLabel is the namespace label that sets the Pod security level.
const levelLabel = "pod-security.kubernetes.io/enforce"

func (c *checker) checkNamespace(ctx context.Context) cluster.CheckResult {
	f := cluster.CheckResult{Check: "namespace", Result: cluster.ResultOK, Found: c.Namespace()}
	var h api.Header
	err := c.inspect(ctx, "/api/v1/namespaces/"+c.Namespace(), "read the namespace "+c.Namespace(), &h)
	switch {
	case api.IsNotFound(err):
		f.Result, f.Found = cluster.ResultMissing, fmt.Sprintf("%s does not exist", c.Namespace())
		f.Advice = message.Advice{Kind: message.AdviceNamespace}.Text()
	case err != nil:
		return unknown(f.Check, err)
	case h.Metadata.DeletionTimestamp != nil:
		f.Result, f.Found, f.Advice = cluster.ResultMissing, c.Namespace()+" is being deleted", message.Advice{Kind: message.AdviceAwaitNamespace}.Text()
	}
	return f
}

// checkPodSecurity checks the namespace's Pod security level and, if
// pod_security is "restricted", the required admission policy.
func (c *checker) checkPodSecurity(ctx context.Context) []cluster.CheckResult {
	f := cluster.CheckResult{Check: "Pod security"}
	var h api.Header
	err := c.inspect(ctx, "/api/v1/namespaces/"+c.Namespace(), "read the namespace "+c.Namespace(), &h)
	level := h.Metadata.Labels[levelLabel]
	switch {
	case api.IsNotFound(err):
		return nil // checkNamespace reports the missing namespace
	case err != nil:
		f = unknown(f.Check, err)
	default:
		f = evaluateLevel(f.Check, level, c.declared)
	}
	if c.declared.PodSecurity != levelRestricted {
		return []cluster.CheckResult{f}
	}
	return []cluster.CheckResult{f, c.checkPolicy(ctx)}
}

const (
	levelPrivileged = "privileged"
	levelRestricted = "restricted"
)

// evaluateLevel compares a Pod security level ("" if not set) with the cluster
// block's profile and pod_security. Users who may create Frameworks can create
// any Pod that the level admits.
func evaluateLevel(check, level string, c *hclspec.Cluster) cluster.CheckResult {
	f := cluster.CheckResult{Check: check, Result: cluster.ResultOK, Found: "the namespace enforces the Pod security level " + level}
	switch {
	case (level == "" || level == levelPrivileged) && c.Profile == render.ProfileOpenPAI:
		f.Result, f.Found = cluster.ResultWarning, "users who can run jobs in this namespace can become root on the nodes"
		f.Advice = message.Advice{Kind: message.AdviceTrustedUsers}.Text()
	case level == "" || level == levelPrivileged:
		f.Result, f.Found = cluster.ResultWarning, "the namespace does not enforce a level that protects the nodes: users who can run jobs here can become root on the nodes"
		f.Advice = message.Advice{Kind: message.AdviceLabelNamespace, Name: levelLabel}.Text()
	case level == levelRestricted && c.PodSecurity != levelRestricted:
		f.Result, f.Advice = cluster.ResultMissing, message.Advice{Kind: message.AdvicePodSecurity}.Text()
	case level != levelPrivileged && c.Profile == render.ProfileOpenPAI:
		f.Result, f.Advice = cluster.ResultMissing, message.Advice{Kind: message.AdvicePrivileged}.Text()
	}
	return f
}

// checkPolicy looks for the admission policy that adds seccompProfile.
func (c *checker) checkPolicy(ctx context.Context) cluster.CheckResult {
	f := cluster.CheckResult{Check: "admission policy", Result: cluster.ResultOK, Found: install.PolicyName}
	const kinds = "/apis/admissionregistration.k8s.io/v1/"
	var found struct{}
	for _, kind := range []string{"mutatingadmissionpolicies", "mutatingadmissionpolicybindings"} {
		err := c.inspect(ctx, kinds+kind+"/"+install.PolicyName, "look up the admission policy", &found)
		switch {
		case api.IsNotFound(err):
			f.Result, f.Found = cluster.ResultMissing, install.PolicyName+" does not exist or is not bound; FrameworkController drops seccompProfile, so the API server would reject Pods"
			f.Advice = message.Advice{Kind: message.AdviceInstallPolicy}.Text()
			return f
		case err != nil:
			return unknown(f.Check, err)
		}
	}
	return f
}
