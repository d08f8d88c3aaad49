package cluster

import (
	"errors"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// ErrNotFound says that a cluster knows nothing of a job or task.
var ErrNotFound = errors.New("not found")

// ErrForbidden says that the user may not do what was asked of a cluster.
var ErrForbidden = errors.New("forbidden")

// StorageFixed says that a volume or claim that was created for a storage cannot
// change to what is declared now.
type StorageFixed struct {
	Storage hclspec.Address
	Object  ObjectID
	Err     error // of the cluster
}

func (e *StorageFixed) Error() string {
	return fmt.Sprintf("the %s %s was made under another declaration: %s", e.Object.Kind, e.Object.Name, e.Err)
}

// Unwrap returns the error of the cluster.
func (e *StorageFixed) Unwrap() error { return e.Err }

// Entry returns the entry of the catalog that the error belongs to.
func (e *StorageFixed) Entry() *hclspec.Entry { return hclspec.VolumeFixed }
