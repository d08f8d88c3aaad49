// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner/render"
)

// typeKey is the value of contract.KeyType on the Secret with the workspace's
// key.
const typeKey = "key"

// hmacKey is the name of the only entry in the data of this Secret. keySize is the
// size of the entry's value in bytes.
const (
	hmacKey = "hmac"
	keySize = 32
)

// keyObject is the Secret with the workspace's key.
type keyObject struct {
	APIVersion string               `json:"apiVersion"`
	Kind       string               `json:"kind"`
	Metadata   framework.ObjectMeta `json:"metadata"`
	Immutable  bool                 `json:"immutable"`
	Data       map[string][]byte    `json:"data"`
}

func keyName(workspace string) string { return render.WorkspaceObject(workspace) }

// SecretKey implements cluster.Cluster. If two processes create the key
// concurrently, one succeeds and both return the same key.
func (c *Cluster) SecretKey(ctx context.Context, workspace string) ([]byte, error) {
	key, err := c.readSecretKey(ctx, workspace)
	if key != nil || err != nil {
		return key, err
	}
	fresh := slices.Clone(c.removedKey)
	if fresh == nil {
		fresh = make([]byte, keySize)
		_, err = io.ReadFull(c.options.Random, fresh)
	}
	if err != nil {
		return nil, fmt.Errorf("create the key of workspace %s: %w", workspace, err)
	}
	o := keyObject{
		APIVersion: "v1", Kind: "Secret", Immutable: true, Data: map[string][]byte{hmacKey: fresh},
		Metadata: framework.ObjectMeta{
			Name: keyName(workspace), Namespace: c.namespace,
			Labels: map[string]string{
				contract.LabelManagedBy: contract.ManagedBy, contract.KeyType: typeKey, contract.KeyWorkspace: contract.LabelValue(workspace),
			},
			Annotations: map[string]string{contract.KeyWorkspace: workspace},
		},
	}
	err = c.do(ctx, api.Request{
		Method: http.MethodPost, Path: api.Secrets.Path(c.namespace, ""), ContentType: api.TypeJSON, Accept: api.MetadataOnly,
		Query: url.Values{"fieldManager": {api.FieldManager}}, Body: o, What: "create Secret " + o.Metadata.Name,
	}, nil)
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return nil, err
	}
	return c.readSecretKey(ctx, workspace)
}

// readSecretKey returns nil if the key does not exist yet.
func (c *Cluster) readSecretKey(ctx context.Context, workspace string) ([]byte, error) {
	var o keyObject
	err := c.get(ctx, api.Secrets, keyName(workspace), &o)
	if api.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if o.Metadata.Annotations[contract.KeyWorkspace] != workspace {
		return nil, &ForeignError{Object: "Secret " + o.Metadata.Name, Owner: describeOwner(o.Metadata)}
	}
	if len(o.Data[hmacKey]) != keySize {
		return nil, fmt.Errorf("the Secret %s does not contain a key of %d bytes; delete the Secret so that the next apply creates a new key", o.Metadata.Name, keySize)
	}
	return o.Data[hmacKey], nil
}

// HasSecret implements cluster.SecretSource. It does not read the values.
func (c *Cluster) HasSecret(ctx context.Context, namespace, name string) (bool, error) {
	own, err := c.Namespace()
	if err != nil || namespace != "" && namespace != own {
		return true, err
	}
	h, err := c.getHeader(ctx, api.Secrets, name)
	return h != nil, err
}

// SecretValue implements cluster.SecretSource.
func (c *Cluster) SecretValue(ctx context.Context, name, key string) (string, error) {
	var o keyObject
	if err := c.get(ctx, api.Secrets, name, &o); err != nil {
		return "", err
	}
	value, ok := o.Data[key]
	if !ok {
		return "", cluster.NotFound("the Secret %s has no key %q", name, key)
	}
	return string(value), nil
}
