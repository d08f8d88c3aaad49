package kubernetes

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

// StorageError says that a storage cannot be had as it is declared.
type StorageError struct {
	kind   *hclspec.Entry
	detail string
	cause  error
}

func (e *StorageError) Error() string { return e.detail }

// Unwrap returns what the API server said.
func (e *StorageError) Unwrap() error { return e.cause }

// Entry returns the entry of the catalog that the error belongs to.
func (e *StorageError) Entry() *hclspec.Entry { return e.kind }

// claimNotFound says that a claim to be adopted is not there.
func (c *Cluster) claimNotFound(name string) *StorageError {
	return &StorageError{
		kind: hclspec.ClaimNotFound, cause: cluster.ErrNotFound,
		detail: fmt.Sprintf("the claim %s does not exist in the namespace %s", name, c.namespace),
	}
}

// immutableError tells what it means that the API server refuses a volume or claim that
// is there already. Other errors are returned as they are.
func (c *Cluster) immutableError(ctx context.Context, k api.Resource, name string, err error) error {
	if !apierrors.IsInvalid(err) {
		return err
	}
	switch h, readErr := c.getHeader(ctx, k, name); {
	case readErr != nil:
		return errors.Join(err, readErr)
	case h == nil:
		return err
	}
	return &StorageError{
		kind: hclspec.VolumeFixed, cause: err,
		detail: fmt.Sprintf("the %s %s was made under another declaration: %s", k.Kind, name, err),
	}
}
