package kubernetes

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/install"
)

// checkPermissions asks the API server, verb by verb, whether we may do what
// the role of users permits. Reviews are answered for everybody.
func (c *Cluster) checkPermissions(ctx context.Context, n needs) []Finding {
	wanted := permissions(n)
	found := make([]Finding, len(wanted))
	var work []func() error
	for i, p := range wanted {
		work = append(work, func() error {
			found[i] = c.checkPermission(ctx, p)
			return nil
		})
	}
	_ = all(work) // the findings hold what went wrong
	return found
}

// permission is a set of verbs on one resource.
type permission struct {
	group, resource string
	verbs           []string
	clusterWide     bool
	use             string // the commands that fail without it; empty: plan and apply
	advice          string // empty: to ask for the role of users
}

// permissions are those of the role of users, one by one, without what the
// cluster block makes needless, and with what only its storages need.
func permissions(n needs) []permission {
	own := []string{"serviceaccounts", "roles", "rolebindings"}
	var all []permission
	for _, p := range install.UserPermissions() {
		for _, resource := range p.Resources {
			if n.accountsGiven && slices.Contains(own, resource) {
				continue
			}
			all = append(all, permission{group: p.Group, resource: resource, verbs: p.Verbs, use: p.For})
		}
	}
	if n.creates {
		all = append(all, permission{resource: volumes.plural, verbs: []string{"get", "create", "patch"}, clusterWide: true,
			advice: "Let an administrator make volume and claim, and name the claim in the storage block."})
	}
	if n.ownPriorities {
		all = append(all, permission{group: "scheduling.k8s.io", resource: priorityClasses.plural, verbs: install.PriorityClassVerbs(), clusterWide: true,
			advice: `Ask for what "openpai cluster manifests --priority-classes" prints, or remove priority_class from the cluster block.`})
	}
	return all
}

func (c *Cluster) checkPermission(ctx context.Context, p permission) Finding {
	denied := make([]bool, len(p.verbs))
	var work []func() error
	for i, verb := range p.verbs {
		work = append(work, func() error {
			may, err := c.may(ctx, p, verb)
			denied[i] = !may
			return err
		})
	}
	check := "permission " + p.resource
	if err := all(work); err != nil {
		return unknown(check, err)
	}
	return judgePermission(check, p, denied)
}

func judgePermission(check string, p permission, denied []bool) Finding {
	var missing []string
	for i, verb := range p.verbs {
		if denied[i] {
			missing = append(missing, verb)
		}
	}
	if len(missing) == 0 {
		return Finding{Check: check, Result: ResultOK, Found: strings.Join(p.verbs, ", ")}
	}
	f := Finding{Check: check, Result: ResultMissing, Found: "you may not " + strings.Join(missing, ", ")}
	f.Advice = `Ask for the role that "openpai cluster manifests" prints.`
	if p.use != "" {
		f.Result, f.Advice = ResultWarning, fmt.Sprintf("%s will fail. %s", sentence(p.use), f.Advice)
	}
	if p.advice != "" {
		f.Advice = p.advice
	}
	return f
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// may asks about one verb.
func (c *Cluster) may(ctx context.Context, p permission, verb string) (bool, error) {
	resource, sub, _ := strings.Cut(p.resource, "/")
	attributes := map[string]any{"group": p.group, "resource": resource, "subresource": sub, "verb": verb}
	if !p.clusterWide {
		attributes["namespace"] = c.namespace
	}
	var answer struct{ Status struct{ Allowed bool } }
	err := c.do(ctx, request{
		method: http.MethodPost, path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", contentType: typeJSON,
		body: map[string]any{
			"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", "spec": map[string]any{"resourceAttributes": attributes},
		},
		what: "ask for the permission to " + verb + " " + p.resource,
	}, &answer)
	return answer.Status.Allowed, err
}
