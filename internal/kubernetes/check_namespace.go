package kubernetes

import (
	"context"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/install"
	"github.com/openpai/terraform-provider-openpai/internal/render"
)

// levelLabel is the label of a namespace with its Pod security level.
const levelLabel = "pod-security.kubernetes.io/enforce"

func (c *Cluster) checkNamespace(ctx context.Context) Finding {
	f := Finding{Check: "namespace", Result: ResultOK, Found: c.namespace}
	var h header
	err := c.inspect(ctx, "/api/v1/namespaces/"+c.namespace, "read the namespace "+c.namespace, &h)
	switch {
	case isNotFound(err):
		f.Result, f.Found = ResultMissing, fmt.Sprintf("%s does not exist", c.namespace)
		f.Advice = "Create it, or name another one with namespace = \"...\" in the cluster block."
	case err != nil:
		return unknown(f.Check, err)
	case h.Metadata.DeletionTimestamp != nil:
		f.Result, f.Found, f.Advice = ResultMissing, c.namespace+" is being deleted", "Wait until it is gone, and create it again."
	}
	return f
}

// checkOpenPAI looks for the part of a running OpenPAI that would delete what
// is applied.
func (c *Cluster) checkOpenPAI(ctx context.Context) Finding {
	f := Finding{Check: "no living OpenPAI", Result: ResultOK, Found: "nothing here deletes foreign Frameworks"}
	var set struct{}
	err := c.inspect(ctx, statefulSets.path(c.namespace, databaseController), "look for OpenPAI's database-controller", &set)
	if err != nil && !isNotFound(err) {
		return unknown(f.Check, err)
	}
	diags, err := c.Guard(ctx, nil)
	switch {
	case err != nil:
		return unknown(f.Check, err)
	case diags.HasErrors():
		f.Result = ResultMissing
		f.Found = "OpenPAI's database-controller runs here and deletes every Framework that it did not make"
		f.Advice = hclspec.LivingOpenPAI.Advice
	}
	return f
}

// checkPodSecurity compares the level that the namespace enforces with what
// the cluster block promises, and looks for the policy that the level
// "restricted" needs.
func (c *Cluster) checkPodSecurity(ctx context.Context) []Finding {
	f := Finding{Check: "Pod security", Result: ResultOK, Found: "no level is enforced"}
	var h header
	err := c.inspect(ctx, "/api/v1/namespaces/"+c.namespace, "read the namespace "+c.namespace, &h)
	level := h.Metadata.Labels[levelLabel]
	switch {
	case isNotFound(err):
		return nil // the check of the namespace says so
	case err != nil:
		f = unknown(f.Check, err)
	case level != "":
		f = judgeLevel(f.Check, level, c.declared)
	}
	if c.declared.PodSecurity != levelRestricted {
		return []Finding{f}
	}
	return []Finding{f, c.checkPolicy(ctx)}
}

const levelRestricted = "restricted"

func judgeLevel(check, level string, c *hclspec.Cluster) Finding {
	f := Finding{Check: check, Result: ResultOK, Found: "the namespace enforces the level " + level}
	switch {
	case level == levelRestricted && c.PodSecurity != levelRestricted:
		f.Result, f.Advice = ResultMissing, `Write pod_security = "restricted" in the cluster block.`
	case level != "privileged" && c.Profile == render.ProfileOpenPAI:
		f.Result, f.Advice = ResultMissing, `The profile "openpai" needs host networks and capabilities: use the level privileged, or the profile "standard".`
	}
	return f
}

// checkPolicy looks for the admission policy that adds seccompProfile.
func (c *Cluster) checkPolicy(ctx context.Context) Finding {
	f := Finding{Check: "admission policy", Result: ResultOK, Found: install.PolicyName}
	const kinds = "/apis/admissionregistration.k8s.io/v1/"
	var found struct{}
	for _, kind := range []string{"mutatingadmissionpolicies", "mutatingadmissionpolicybindings"} {
		err := c.inspect(ctx, kinds+kind+"/"+install.PolicyName, "look for the admission policy", &found)
		switch {
		case isNotFound(err):
			f.Result, f.Found = ResultMissing, install.PolicyName+" is not there, or not bound; FrameworkController drops seccompProfile, so that Pods would be refused"
			f.Advice = installAdvice + " (the policy needs Kubernetes 1.36)"
			return f
		case err != nil:
			return unknown(f.Check, err)
		}
	}
	return f
}
