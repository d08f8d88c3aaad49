// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

// MissingPermissions implements cluster.PermissionReviewer. It reads all rules
// for the user in the namespace once per connection. If the server cannot list
// the rules, MissingPermissions assumes that the user may do everything. The
// server then rejects forbidden writes during the apply.
//
// It also accepts a namespaced rule for volumes and PriorityClasses: the list does
// not show the scope of a rule. The preflight of Create then detects the missing
// permission.
func (c *Cluster) MissingPermissions(ctx context.Context, s cluster.Submission) ([]string, error) {
	rules, err := c.userRules(ctx)
	if err != nil || rules == nil {
		return nil, err
	}
	d, err := c.dependents(s)
	if err != nil {
		return nil, err
	}
	missing := map[string][]string{} // verbs by resource
	for _, n := range d.writes() {
		if !rules.allow(n) && !slices.Contains(missing[n.resource.Plural], n.verb) {
			missing[n.resource.Plural] = append(missing[n.resource.Plural], n.verb)
		}
	}
	var all []string
	for plural, verbs := range missing {
		all = append(all, strings.Join(verbs, " and ")+" "+plural)
	}
	slices.Sort(all)
	return all, nil
}

// mayApply returns an error if the user's rules do not permit an apply. If the
// rules cannot be read, the apply itself reports the problem. The plan has already
// read the rules over the same connection.
func (c *Cluster) mayApply(ctx context.Context, k api.Resource, name string) error {
	rules, err := c.userRules(ctx)
	if err != nil || rules == nil {
		return ctx.Err()
	}
	for _, verb := range []string{"create", "patch"} {
		if !rules.allow(write{k, verb, name}) && !rules.allow(write{k, verb, ""}) {
			cause := fmt.Errorf("you may not %s %s in the namespace %q", verb, k.Plural, c.namespace)
			return &api.Error{What: "apply " + k.Kind + " " + name, Err: apierrors.NewForbidden(schema.GroupResource{Group: k.Group(), Resource: k.Plural}, name, cause)}
		}
	}
	return nil
}

// write is a request that creates an object of a job. An empty name means any object,
// because the name is not known when the server authorizes a create request.
type write struct {
	resource   api.Resource
	verb, name string
}

// writes returns the write requests that every apply sends to create the job.
// Apply only patches existing objects. The result omits "create" for volumes
// and claims, because they may already exist.
func (d *dependents) writes() []write {
	fw := d.manifest.Framework.Metadata.Name
	all := []write{{api.Leases, "create", ""}, {api.Frameworks, "create", ""}, {api.Frameworks, "patch", fw}}
	for _, o := range d.owned {
		all = append(all, write{o.kind, "create", ""}, write{o.kind, "patch", o.meta.Name})
	}
	for _, v := range d.manifest.Volumes {
		all = append(all, write{api.Volumes, "patch", v.Metadata.Name})
	}
	for _, claim := range d.manifest.Claims {
		all = append(all, write{api.Claims, "patch", claim.Metadata.Name})
	}
	if d.manifest.PriorityClass != nil {
		all = append(all, write{api.PriorityClasses, "create", ""})
	}
	return all
}

// accessRules are the permissions of a user in a namespace.
type accessRules []struct {
	Verbs         []string `json:"verbs"`
	APIGroups     []string `json:"apiGroups"`
	Resources     []string `json:"resources"`
	ResourceNames []string `json:"resourceNames"`
}

func (rules accessRules) allow(w write) bool {
	for _, r := range rules {
		named := len(r.ResourceNames) == 0 || w.name != "" && slices.Contains(r.ResourceNames, w.name)
		if named && holds(r.Verbs, w.verb) && holds(r.APIGroups, w.resource.Group()) && holds(r.Resources, w.resource.Plural) {
			return true
		}
	}
	return false
}

func holds(list []string, value string) bool {
	return slices.Contains(list, "*") || slices.Contains(list, value)
}

// userRules returns nil if the server cannot list all rules.
func (c *Cluster) userRules(ctx context.Context) (accessRules, error) {
	c.reviewing.Lock()
	defer c.reviewing.Unlock()
	if c.reviewed {
		return c.rules, nil
	}
	if _, err := c.connect(); err != nil {
		return nil, err
	}
	var answer struct {
		Status *struct {
			ResourceRules accessRules `json:"resourceRules"`
			Incomplete    bool        `json:"incomplete"`
		} `json:"status"`
	}
	err := c.do(ctx, api.Request{
		Method: http.MethodPost, Path: "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", ContentType: api.TypeJSON,
		Body: map[string]any{
			"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectRulesReview", "spec": map[string]any{"namespace": c.namespace},
		},
		What: "read the permissions in the namespace " + c.namespace,
	}, &answer)
	if err != nil && !apierrors.IsForbidden(err) && !api.IsNotFound(err) {
		return nil, err
	}
	c.reviewed = true
	if err == nil && answer.Status != nil && !answer.Status.Incomplete {
		c.rules = answer.Status.ResourceRules
	}
	return c.rules, nil
}
