package kubernetes

import (
	"context"
	"net/http"

	"github.com/hashicorp/hcl/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// databaseController is the StatefulSet of OpenPAI that removes Frameworks it
// does not know, and the variable that keeps it from that. Source:
// microsoft/pai: src/database-controller/deploy.
const (
	databaseController = "database-controller-sts"
	retainMode         = "RETAIN_MODE_ENABLED"
)

// Guard finds what makes it unsafe to write into the namespace at all.
func (c *Cluster) Guard(ctx context.Context, sources hclspec.SourceMap) (hcl.Diagnostics, error) {
	if _, err := c.connect(); err != nil {
		return nil, err
	}
	var set struct {
		Spec struct {
			Template struct {
				Spec struct {
					Containers []struct {
						Env []struct{ Name, Value string } `json:"env"`
					} `json:"containers"`
				} `json:"spec"`
			} `json:"template"`
		} `json:"spec"`
	}
	err := c.do(ctx, request{
		method: http.MethodGet, path: statefulSets.path(c.namespace, databaseController), what: "look for OpenPAI's database-controller",
	}, &set)
	switch {
	case isNotFound(err), apierrors.IsForbidden(err): // not there, or not to be known: "cluster check" warns of that
		return nil, nil
	case err != nil:
		return nil, err
	}
	for _, container := range set.Spec.Template.Spec.Containers {
		for _, e := range container.Env {
			if e.Name == retainMode && e.Value == "true" {
				return nil, nil
			}
		}
	}
	return hcl.Diagnostics{hclspec.LivingOpenPAI.At(sources.Range(c.declared.Path),
		"In the namespace %q of the cluster %q runs OpenPAI's database-controller without retain mode. It would delete every job that is applied here. Choose another namespace: namespace = \"...\".",
		c.namespace, c.declared.Name)}, nil
}
