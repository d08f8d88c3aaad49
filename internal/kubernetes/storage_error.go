package kubernetes

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
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

// Entry returns the entry of the catalogue that the error belongs to.
func (e *StorageError) Entry() *hclspec.Entry { return e.kind }

// noClaim says that a claim to be adopted is not there.
func (c *Cluster) noClaim(name string) *StorageError {
	return &StorageError{
		kind: hclspec.ClaimNotFound, cause: cluster.ErrNotFound,
		detail: fmt.Sprintf("the claim %s does not exist in the namespace %s", name, c.namespace),
	}
}

// fixed tells what it means that the API server refuses a volume or claim that
// is there already. Other errors are returned as they are.
func (c *Cluster) fixed(ctx context.Context, k resource, name string, err error) error {
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
		detail: fmt.Sprintf("the %s %s was made under another declaration: %s", k.kind, name, err),
	}
}
