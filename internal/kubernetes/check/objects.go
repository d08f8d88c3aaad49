// SPDX-License-Identifier: MPL-2.0

package check

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

func (c *checker) checkClaims(ctx context.Context, n needs) []cluster.CheckResult {
	var found []cluster.CheckResult
	for _, storage := range slices.Sorted(maps.Keys(n.claims)) {
		found = append(found, c.checkClaim(ctx, storage, n.claims[storage]))
	}
	return found
}

func (c *checker) checkClaim(ctx context.Context, storage, name string) cluster.CheckResult {
	f := cluster.CheckResult{Check: "storage " + storage, Result: cluster.ResultOK}
	var claim struct{ Status struct{ Phase string } }
	err := c.Get(ctx, api.Claims, name, &claim)
	switch {
	case api.IsNotFound(err):
		f.Result, f.Found, f.Advice = cluster.ResultMissing, fmt.Sprintf("the claim %s does not exist in the namespace %s", name, c.Namespace()), message.Advice{Kind: message.AdviceClaimNotFound}.Text()
	case err != nil:
		return unknown(f.Check, err)
	case claim.Status.Phase == "Bound":
		f.Found = "the claim " + name + " is bound"
	case claim.Status.Phase == "Pending":
		// With WaitForFirstConsumer, a claim is bound only after a Pod uses
		// the claim.
		f.Result, f.Found = cluster.ResultWarning, "the claim "+name+" is not bound yet"
		f.Advice = message.Advice{Kind: message.AdviceClaimPending}.Text()
	default:
		f.Result, f.Found, f.Advice = cluster.ResultMissing, fmt.Sprintf("the claim %s is %s", name, claim.Status.Phase), message.Advice{Kind: message.AdviceClaimLost}.Text()
	}
	return f
}

// checkNamed checks that the ServiceAccounts, image pull Secrets and
// PriorityClasses that the configuration refers to exist.
func (c *checker) checkNamed(ctx context.Context, n needs) []cluster.CheckResult {
	var found []cluster.CheckResult
	for _, name := range n.accounts {
		found = append(found, c.checkExists(ctx, api.ServiceAccounts, name))
	}
	for _, name := range n.pullSecrets {
		found = append(found, c.checkExists(ctx, api.Secrets, name))
	}
	for _, name := range n.priorities {
		found = append(found, c.checkExists(ctx, api.PriorityClasses, name))
	}
	return found
}

func (c *checker) checkExists(ctx context.Context, k api.Resource, name string) cluster.CheckResult {
	f := cluster.CheckResult{Check: k.Kind + " " + name, Result: cluster.ResultOK, Found: "exists"}
	h, err := c.GetHeader(ctx, k, name)
	switch {
	case err != nil:
		return unknown(f.Check, err)
	case h == nil:
		f.Result, f.Found, f.Advice = cluster.ResultMissing, "does not exist", message.Advice{Kind: message.AdviceMissingObject}.Text()
	}
	return f
}

func checkRuntimeImage(declared *hclspec.Cluster) cluster.CheckResult {
	f := cluster.CheckResult{Check: "runtime image", Result: cluster.ResultOK, Found: declared.Runtime.Image}
	if f.Found == "" {
		f.Result, f.Found = cluster.ResultMissing, "the cluster block does not set a runtime image"
		f.Advice = message.Advice{Kind: message.AdviceRuntimeImage}.Text()
	}
	return f
}
