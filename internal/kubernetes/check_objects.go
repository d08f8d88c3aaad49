package kubernetes

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// checkClaims looks for the claims that storages name.
func (c *Cluster) checkClaims(ctx context.Context, n needs) []Finding {
	var found []Finding
	for _, storage := range slices.Sorted(maps.Keys(n.claims)) {
		found = append(found, c.checkClaim(ctx, storage, n.claims[storage]))
	}
	return found
}

func (c *Cluster) checkClaim(ctx context.Context, storage, name string) Finding {
	f := Finding{Check: "storage " + storage, Result: ResultOK}
	var claim struct{ Status struct{ Phase string } }
	err := c.get(ctx, claims, name, &claim)
	switch {
	case isNotFound(err):
		absent := c.noClaim(name)
		f.Result, f.Found, f.Advice = ResultMissing, absent.Error(), absent.Entry().Advice
	case err != nil:
		return unknown(f.Check, err)
	case claim.Status.Phase == "Bound":
		f.Found = "the claim " + name + " is bound"
	case claim.Status.Phase == "Pending":
		// A storage class may wait for the first Pod.
		f.Result, f.Found = ResultWarning, "the claim "+name+" is not bound yet"
		f.Advice = "Tasks wait until it is; look at its events."
	default:
		f.Result, f.Found, f.Advice = ResultMissing, fmt.Sprintf("the claim %s is %s", name, claim.Status.Phase), "Its volume is gone; make the claim again."
	}
	return f
}

var priorityClasses = resource{apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", plural: "priorityclasses", prefix: "/apis/scheduling.k8s.io/v1", clusterScoped: true}

// checkNamed looks for other objects that the configuration names.
func (c *Cluster) checkNamed(ctx context.Context, n needs) []Finding {
	var found []Finding
	for _, name := range n.accounts {
		found = append(found, c.checkExists(ctx, serviceAccounts, name))
	}
	for _, name := range n.pullSecrets {
		found = append(found, c.checkExists(ctx, secretKind, name))
	}
	for _, name := range n.priorities {
		found = append(found, c.checkExists(ctx, priorityClasses, name))
	}
	return found
}

func (c *Cluster) checkExists(ctx context.Context, k resource, name string) Finding {
	f := Finding{Check: k.kind + " " + name, Result: ResultOK, Found: "exists"}
	h, err := c.getHeader(ctx, k, name)
	switch {
	case err != nil:
		return unknown(f.Check, err)
	case h == nil:
		f.Result, f.Found, f.Advice = ResultMissing, "does not exist", "The configuration names it; create it, or leave it out."
	}
	return f
}

// checkRuntimeImage looks whether the cluster block names one.
func checkRuntimeImage(declared *hclspec.Cluster) Finding {
	f := Finding{Check: "runtime image", Result: ResultOK, Found: declared.Runtime.Image}
	if f.Found == "" {
		f.Result, f.Found = ResultMissing, "the cluster block names none"
		f.Advice = `Push one with "openpai cluster push-runtime REPOSITORY" and write runtime { image = "..." }.`
	}
	return f
}
