// SPDX-License-Identifier: MPL-2.0

package check

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/install"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// checkPermissions asks the API server whether the user may use each verb on each
// resource. Every user may send these requests.
func (c *checker) checkPermissions(ctx context.Context, n needs) []cluster.CheckResult {
	wanted := permissions(n)
	found := make([]cluster.CheckResult, len(wanted))
	var work []func() error
	for i, p := range wanted {
		work = append(work, func() error {
			found[i] = c.checkPermission(ctx, p)
			return nil
		})
	}
	_ = api.Parallel(work) // the results contain the errors
	return found
}

// permission is a set of verbs on one resource.
type permission struct {
	group, resource string
	verbs           []string
	clusterWide     bool
	// names are the objects for which the user needs the verbs. A role that
	// grants the verbs for only these objects is sufficient.
	names  map[string]string
	use    string             // commands that fail without it; "" means plan and apply
	advice message.AdviceKind // "" means that the user needs the user role
}

// permissions returns the permissions of the user role, except permissions
// that the cluster block makes unnecessary. It adds permissions to create
// volumes and PriorityClasses if apply needs them.
func permissions(n needs) []permission {
	own := []string{"serviceaccounts", "roles", "rolebindings"}
	var all []permission
	for _, p := range install.UserPermissions() {
		for _, resource := range p.Resources {
			if n.hasAccounts && slices.Contains(own, resource) {
				continue
			}
			all = append(all, permission{group: p.Group, resource: resource, verbs: p.Verbs, names: n.objects[resource], use: p.For})
		}
	}
	if n.createsVolumes {
		all = append(all, permission{resource: api.Volumes.Plural, verbs: []string{"get", "create", "patch"}, clusterWide: true,
			advice: message.AdviceVolumePermission})
	}
	if n.ownPriorities {
		all = append(all, permission{group: "scheduling.k8s.io", resource: api.PriorityClasses.Plural, verbs: install.PriorityClassVerbs(), clusterWide: true,
			advice: message.AdvicePriorityPermission})
	}
	return all
}

func (c *checker) checkPermission(ctx context.Context, p permission) cluster.CheckResult {
	denied := make([]bool, len(p.verbs))
	var work []func() error
	for i, verb := range p.verbs {
		work = append(work, func() error {
			may, err := c.allows(ctx, p, verb)
			denied[i] = !may
			return err
		})
	}
	check := "permission " + p.resource
	if err := api.Parallel(work); err != nil {
		return unknown(check, err)
	}
	return evaluatePermission(check, p, denied)
}

func evaluatePermission(check string, p permission, denied []bool) cluster.CheckResult {
	var missing []string
	for i, verb := range p.verbs {
		if denied[i] {
			missing = append(missing, verb)
		}
	}
	if len(missing) == 0 {
		return cluster.CheckResult{Check: check, Result: cluster.ResultOK, Found: strings.Join(p.verbs, ", ")}
	}
	f := cluster.CheckResult{Check: check, Result: cluster.ResultMissing, Found: "you may not " + strings.Join(missing, ", ")}
	if p.use != "" {
		f.Result = cluster.ResultWarning
	}
	f.Advice = message.Advice{Kind: cmp.Or(p.advice, message.AdviceAskForRole), Use: p.use}.Text()
	return f
}

// allows checks one verb.
func (c *checker) allows(ctx context.Context, p permission, verb string) (bool, error) {
	resource, sub, _ := strings.Cut(p.resource, "/")
	attributes := map[string]any{"group": p.group, "resource": resource, "subresource": sub, "verb": verb}
	if name := p.names[verb]; name != "" {
		attributes["name"] = name
	}
	if !p.clusterWide {
		attributes["namespace"] = c.Namespace()
	}
	var answer struct{ Status struct{ Allowed bool } }
	err := c.Do(ctx, api.Request{
		Method: http.MethodPost, Path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", ContentType: api.TypeJSON,
		Body: map[string]any{
			"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", "spec": map[string]any{"resourceAttributes": attributes},
		},
		What: "check the permission to " + verb + " " + p.resource,
	}, &answer)
	return answer.Status.Allowed, err
}
