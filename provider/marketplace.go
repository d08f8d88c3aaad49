// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// marketplaceName is the name of the only marketplace of a resource or data
// source.
const marketplaceName = "source"

// kubernetesScheme is the prefix of a marketplace source in the provider
// block's cluster. A namespace can follow the prefix; the default is the
// namespace of the cluster.
const kubernetesScheme = "kubernetes://"

func (c *connection) itemsInCluster(m *hclspec.Marketplace) (marketplace.Source, error) {
	if c.Unknown {
		return nil, errUnknown
	}
	return kubernetes.OpenItems(c.workspaceOf(nil), m)
}

// workingDirectory is the base directory for relative paths.
func (c *connection) workingDirectory() string { return cmp.Or(c.Directory, ".") }

// openMarketplace opens a source of items. The environment variable tokenEnv
// contains the credential, because Terraform would store a credential from
// the configuration in the state.
func (c *connection) openMarketplace(source, tokenEnv string) (*marketplace.Set, *hclspec.Marketplace) {
	m := &hclspec.Marketplace{Name: marketplaceName, Path: "source", Source: source}
	if namespace, ok := strings.CutPrefix(source, kubernetesScheme); ok {
		m.Kubernetes = &hclspec.KubernetesMarketplace{Namespace: namespace}
	}
	set := marketplace.NewSet([]*hclspec.Marketplace{m}, marketplace.Options{
		Dir: c.workingDirectory(), Environ: os.Environ(), Kubernetes: c.itemsInCluster, Unnamed: true,
		Token: func(*hclspec.Marketplace) (string, error) {
			if tokenEnv == "" {
				return "", nil
			}
			token := os.Getenv(tokenEnv)
			if token == "" {
				return "", fmt.Errorf("the environment variable %s is not set", tokenEnv)
			}
			return token, nil
		},
	})
	return set, m
}

// itemDefinition returns an item with all its requirements.
func itemDefinition(ctx context.Context, set *marketplace.Set, source, reference string) (*definition, error) {
	closure := set.Closure(ctx, []string{reference}, marketplace.Prerequisite, func(string) (*marketplace.Known, error) { return nil, nil })
	var failed []error
	for _, f := range closure.Failures {
		if f.By == "" {
			failed = append(failed, f.Err)
			continue
		}
		failed = append(failed, fmt.Errorf("%s requires %s: %w", f.By, f.Reference, f.Err))
	}
	if failed != nil {
		return nil, errors.Join(failed...)
	}
	return definitionOfItem(closure, source, closure.References[reference])
}

// definitionOfItem returns the item at an address with all its requirements.
func definitionOfItem(closure *marketplace.Closure, source, address string) (*definition, error) {
	b := &bodyBuilder{closure: closure, source: source, keys: map[string]string{}, definition: newDefinition("")}
	key, err := b.add(address)
	if err != nil {
		return nil, err
	}
	b.definition.Use = key
	return b.definition, nil
}

// bodyBuilder converts the items in a marketplace.Closure to bodies in a
// definition.
type bodyBuilder struct {
	closure    *marketplace.Closure
	source     string
	keys       map[string]string // keys of completed items, by address
	definition *definition
	stack      []string
}

// add adds the requirements of an item, then the item itself, and returns the
// item's key.
func (b *bodyBuilder) add(address string) (string, error) {
	if key, done := b.keys[address]; done {
		return key, nil
	}
	if slices.Contains(b.stack, address) {
		return "", fmt.Errorf("%s requires itself", address)
	}
	b.stack = append(b.stack, address)
	defer func() { b.stack = b.stack[:len(b.stack)-1] }()
	found := b.closure.Item(address)
	if found == nil || found.Prerequisite == nil {
		return "", fmt.Errorf("%s is not a prerequisite", address)
	}
	p := *found.Prerequisite
	p.Require = slices.Clone(p.Require)
	for i, ref := range p.Require {
		target, ok := b.closure.Siblings[address][ref.Target]
		if !ok {
			target = b.closure.References[ref.Target]
		}
		key, err := b.add(target)
		if err != nil {
			return "", err
		}
		p.Require[i].Target = key
	}
	key := b.definition.unusedKey(p.Address().String())
	b.keys[address] = key
	b.definition.Prerequisites[key] = shape.MarshalTree(prerequisiteObject.Encode(&p))
	b.definition.items[key] = originOf(found.Item, b.source)
	return key, nil
}

// userinfo matches the part of a URL that may contain a password.
var userinfo = regexp.MustCompile(`//[^/@]*@`)

// originOf removes a password from the URL, because job records contain the
// origin.
func originOf(i *marketplace.Item, source string) origin {
	return origin{marketplace: userinfo.ReplaceAllString(source, "//"), hash: shortHash(i.Hash())}
}
