package kubernetes

import (
	"context"

	"github.com/hashicorp/hcl/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/check"
)

// Guard finds what makes it unsafe to write into the namespace at all.
func (c *Cluster) Guard(ctx context.Context, sources hclspec.SourceMap) (hcl.Diagnostics, error) {
	client, err := c.connect()
	if err != nil {
		return nil, err
	}
	switch living, err := check.RunsOpenPAI(ctx, client); {
	case apierrors.IsForbidden(err): // "cluster check" warns of that
		return nil, nil
	case err != nil || !living:
		return nil, err
	}
	return hcl.Diagnostics{hclspec.LivingOpenPAI.At(sources.Range(c.declared.Path),
		"In the namespace %q of the cluster %q runs OpenPAI's database-controller without retain mode. It would delete every job that is applied here. Choose another namespace: namespace = \"...\".",
		c.namespace, c.declared.Name)}, nil
}
